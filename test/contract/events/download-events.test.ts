import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

interface DownloadEvent {
  readonly actor: string
  readonly key_id: string | null
  readonly member_id: string | null
  readonly subject: string
  readonly details: { readonly name: string; readonly access: string; readonly bytes: number }
}

const clock = { time: Date.now(), now: () => clock.time }
const statements: string[] = []
let service: TestService
let owner: WorkspaceClient
let viewer: Browser
let kitId: string
let submissionId: string

before(async () => {
  service = await testService({}, clock, (text) => statements.push(text))
  owner = await workspaceClient(service)
  submissionId = await owner.submission()
  await owner.upload(submissionId, form({ 'a.txt': 'some evidence' }))
  kitId = String((await owner.ended(submissionId))['kit_id'])
  viewer = await member(service, 'viewer', owner.workspaceId)
  await administer(service, (admin) =>
    admin.workspaces.update(owner.workspaceId as never, { publicKits: 'all' }, { is: 'operator' }),
  )
})
after(() => service[Symbol.asyncDispose]())

/** The downloads that `work` adds to the audit log, oldest first. */
async function recorded(work: () => Promise<unknown>): Promise<readonly DownloadEvent[]> {
  const known = (await downloads()).length
  await work()
  return (await downloads()).toReversed().slice(known)
}

async function downloads(): Promise<readonly DownloadEvent[]> {
  const all: (DownloadEvent & { readonly action: string })[] = []
  for (let cursor = ''; ;) {
    const { json } = await owner.get(`/v1/audit?limit=100${cursor}`)
    all.push(...(json['data'] as typeof all))
    if (json['next_cursor'] === null) return all.filter(({ action }) => action === 'deliverable.downloaded')
    cursor = `&cursor=${String(json['next_cursor'])}`
  }
}

const publicKit = (): string => `/v1/kits/${kitId}/download`
const cookie = (): string => [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

test('a download with a key is an event that names the key', async () => {
  const [event, ...more] = await recorded(() => owner.get(publicKit()))
  assert.equal(more.length, 0)
  const { bytes } = await owner.get(publicKit())
  assert.deepEqual(
    [event?.actor, event?.subject, event?.details],
    ['key', kitId, { name: 'kit.zip', access: 'api_key', bytes: bytes.length }],
  )
  assert.ok(owner.key.includes(event?.key_id ?? 'none'))
})

test('a download with a session is an event that names the member', async () => {
  const { member_id } = (await viewer.get('/me')).json['member'] as { member_id: string }
  const both = await recorded(async () => {
    await service.call(publicKit(), { headers: { cookie: cookie() } })
    await viewer.get(`/v1/submissions/${submissionId}/deliverables/kit.zip`)
    await viewer.get(`/v1/submissions/${submissionId}/deliverables/binder.pdf`)
  })
  assert.deepEqual(
    both.map(({ actor, member_id: by, details }) => [actor, by, details.name, details.access]),
    ['kit.zip', 'kit.zip', 'binder.pdf'].map((name) => ['member', member_id, name, 'session']),
  )
})

test('a download with a public link is an anonymous event, also with a key of another workspace', async () => {
  const stranger = await workspaceClient(service)
  const both = await recorded(async () => {
    await service.call(publicKit())
    await stranger.get(publicKit())
  })
  assert.deepEqual(
    both.map(({ actor, key_id, member_id, details }) => [actor, key_id, member_id, details.access]),
    Array.from({ length: 2 }, () => ['anonymous', null, null, 'public_link']),
  )
})

test('every deliverable is recorded under its name, and so is the manifest of the kit', async () => {
  const list = (await owner.get(`/v1/submissions/${submissionId}/deliverables`)).json['data']
  const names = (list as readonly { name: string }[]).map(({ name }) => name)
  assert.ok(names.length > 5)
  const all = await recorded(async () => {
    for (const name of names) await owner.get(`/v1/submissions/${submissionId}/deliverables/${name}`)
    await owner.get(`/v1/kits/${kitId}/manifest`)
  })
  assert.deepEqual(
    all.map(({ details }) => details.name),
    [...names, 'manifest.json'],
  )
})

test('the report of a failed submission is recorded under the submission', async () => {
  const id = await owner.submission()
  await owner.upload(id, form({ 'empty.pdf': '' }))
  assert.equal((await owner.ended(id))['status'], 'FAIL')
  const [event] = await recorded(() => owner.get(`/v1/submissions/${id}/deliverables/fail_report.json`))
  assert.deepEqual([event?.subject, event?.details.name], [id, 'fail_report.json'])
})

test('what sends no content is not a download: lists, receipts, HEAD, 304 and errors', async () => {
  const etag = (await owner.get(publicKit())).headers.get('etag') ?? ''
  const none = await recorded(async () => {
    await owner.get(`/v1/submissions/${submissionId}/deliverables`)
    await owner.get(`/v1/kits/${kitId}/receipt`)
    await service.call(publicKit(), { method: 'HEAD' })
    await owner.get(publicKit(), { 'if-none-match': etag })
    await owner.get(publicKit(), { 'if-match': '"other"' })
    await owner.get(publicKit(), { range: 'bytes=999999999-' })
    await owner.get(`/v1/submissions/${submissionId}/deliverables/nothing`)
    for (const path of [
      `/v1/kits/${kitId}/manifest`,
      `/v1/submissions/${submissionId}/deliverables/binder.pdf`,
    ])
      await service.call(path, { method: 'HEAD', headers: { 'x-api-key': owner.key } })
  })
  assert.deepEqual(none, [])
})

test('a download in ranges is one event, wherever it starts, and a later one is another', async () => {
  clock.time += 2 * 60 * 60_000
  const first = await recorded(async () => {
    for (const range of ['bytes=10-19', 'bytes=20-29', 'bytes=-5', 'bytes=1-'])
      assert.equal((await owner.get(publicKit(), { range })).status, 206)
  })
  assert.deepEqual(
    first.map(({ details }) => details.bytes),
    [10],
  )
  const again = await recorded(async () => {
    await owner.get(publicKit(), { range: 'bytes=0-99' })
    await owner.get(publicKit(), { range: 'bytes=100-' })
    clock.time += 61 * 60_000
    await owner.get(publicKit(), { range: 'bytes=1-' })
    await service.call(publicKit(), { headers: { range: 'bytes=1-' } })
  })
  assert.deepEqual(
    again.map(({ actor, details }) => [actor, details.bytes === 100]),
    [
      ['key', true],
      ['key', false],
      ['anonymous', false],
    ],
  )
})

test('a download writes its event before the first byte, in one commit that concurrent downloads share', async () => {
  statements.length = 0
  const together = 20
  const events = await recorded(() =>
    Promise.all(Array.from({ length: together }, () => service.call(publicKit()))),
  )
  assert.equal(events.length, together)
  const inserts = statements.filter((text) => text.startsWith('insert into "audit_events"')).length
  assert.ok(inserts < together, `${inserts} inserts for ${together} downloads`)
  const { data: all } = (await owner.get('/v1/audit?limit=100')).json as { data: { seq: number }[] }
  const numbers = all.map(({ seq }) => seq)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => (numbers[0] ?? 0) - index),
    'without gaps',
  )
})

test('the kit of an anonymous job has no audit log', async () => {
  const issued = await service.issue()
  assert.deepEqual(await recorded(() => service.call(`/v1/kits/${issued.kitId}/download`)), [])
})

test('public downloads of one address are limited, and those of the workspace are not', async () => {
  const time = { now: () => clock.time }
  await using limited = await testService({ KITSEAL_RATE_LIMIT: '1000' }, time)
  const acme = await workspaceClient(limited)
  await administer(limited, (admin) =>
    admin.workspaces.update(acme.workspaceId as never, { publicKits: 'all' }, { is: 'operator' }),
  )
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'some evidence' }))
  const path = `/v1/kits/${String((await acme.ended(id))['kit_id'])}/manifest`
  for (let count = 0; count < 300; count += 1) assert.equal((await limited.call(path)).status, 200)
  const excess = await limited.call(path)
  assert.deepEqual(
    [excess.status, excess.json['code'], excess.headers.get('etag')],
    [429, 'rate_limited', null],
  )
  assert.match(excess.headers.get('retry-after') ?? '', /^\d+$/)
  const zip = path.replace('manifest', 'download')
  for (const range of ['bytes=0-', 'bytes=1-'])
    assert.equal((await limited.call(zip, { headers: { range } })).status, 429, 'not recorded, not sent')
  assert.equal((await acme.get(path)).status, 200)
})
