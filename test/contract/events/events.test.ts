import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openapi } from '../../kit/openapi.ts'
import { member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

interface Shown {
  readonly seq: number
  readonly type: string
  readonly subject: string
  readonly workspace_id: string
  readonly data: Readonly<Record<string, unknown>>
}

let service: TestService
let acme: WorkspaceClient
let submissionId: string
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
  submissionId = await acme.submission()
  await acme.upload(submissionId, form({ 'a.txt': 'one' }))
  await acme.ended(submissionId)
})
after(() => service[Symbol.asyncDispose]())

const events = async (query = '', client = acme): Promise<readonly Shown[]> =>
  (await client.get(`/v1/events${query}`)).json['data'] as readonly Shown[]

test('events are the audit log: in order, without gaps, of one workspace', async () => {
  const all = await events()
  assert.deepEqual(
    all.map(({ seq }) => seq),
    all.map((_, index) => index + 1),
  )
  const passed = all.find(({ type }) => type === 'submission.passed')
  assert.equal(passed?.subject, submissionId)
  assert.match(String(passed.data['kit_id']), /^kit_/)
  assert.ok(all.every(({ workspace_id }) => workspace_id === acme.workspaceId))
  const audit = (await acme.get('/v1/audit?after=0&limit=1000')).json['data'] as readonly {
    action: string
  }[]
  assert.deepEqual(
    all.map(({ type }) => type),
    audit.map(({ action }) => action),
  )
  const page = (await acme.get('/v1/events?after=1&limit=2')).json
  assert.deepEqual(
    (page['data'] as readonly Shown[]).map(({ seq }) => seq),
    [2, 3],
  )
  assert.equal(page['last_seq'], 3)
  const end = (await acme.get(`/v1/events?after=${all.length}`)).json
  assert.deepEqual([end['data'], end['last_seq']], [[], all.length])
  const other = await workspaceClient(service)
  assert.ok((await events('', other)).every(({ workspace_id }) => workspace_id === other.workspaceId))
  for (const query of ['?after=-1', '?after=x', '?limit=0', '?limit=1001', '?since=1'])
    assert.equal((await acme.get(`/v1/events${query}`)).status, 400, query)
})

test('every event has a type in the table, with the members that the table names', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  await owner.post('/invitations', { email: 'bob@acme.example', role: 'viewer' })
  await acme.get(`/v1/submissions/${submissionId}/deliverables/kit.zip`)
  await until(async () => (await events()).some(({ type }) => type === 'deliverable.downloaded'))
  for (const { type, data } of await events()) {
    const { schema } = openapi.webhooks[type]?.['post']?.requestBody?.content?.['application/json'] ?? {}
    assert.ok(schema !== undefined, `${type} is not described`)
    const { properties = {}, required = [] } = schema.properties?.['data'] ?? {}
    for (const name of Object.keys(data)) assert.ok(name in properties, `${type} has ${name}`)
    for (const name of required) assert.ok(name in data, `${type} has no ${name}`)
  }
})

test('a stream continues after Last-Event-ID without gaps, and ends when its key is revoked', async () => {
  const other = await workspaceClient(service)
  const stream = await openStream(other, { 'last-event-id': '1' })
  await other.submission()
  await other.submission()
  const last = (await events('', other)).at(-1)?.seq ?? 0
  await until(() => stream.seqs().at(-1) === last)
  assert.deepEqual(
    stream.seqs(),
    Array.from({ length: last - 1 }, (_, index) => index + 2),
  )
  assert.match(stream.text(), /^event: submission\.created\nid: \d+\ndata: \{"seq":/m)
  const fresh = await openStream(other)
  await other.submission()
  await until(() => fresh.seqs().length === 1)
  assert.deepEqual(fresh.seqs(), [last + 1])
  await administer(service, async ({ keys }) => {
    for (const { key_id } of await keys.list(other.workspaceId as never))
      await keys.revoke(key_id, { is: 'operator' })
  })
  await Promise.all([stream.ended, fresh.ended])
})

test('a workspace has at most ten streams, and closing one makes room', async () => {
  const other = await workspaceClient(service)
  const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(other)))
  const full = await fetch(`${service.base}/v1/events/stream`, { headers: { 'x-api-key': other.key } })
  assert.equal(full.status, 429)
  assert.equal(((await full.json()) as { code: string }).code, 'streams_exhausted')
  for (const stream of streams) stream.close()
  await until(async () => {
    const response = await fetch(`${service.base}/v1/events/stream`, { headers: { 'x-api-key': other.key } })
    await response.body?.cancel()
    return response.status === 200
  })
})

async function openStream({ key }: WorkspaceClient, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(`${service.base}/v1/events/stream`, {
    headers: { 'x-api-key': key, ...headers },
    signal: abort.signal,
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  let text = ''
  const read = async (): Promise<void> => {
    for await (const part of response.body ?? []) text += Buffer.from(part).toString()
  }
  return {
    ended: read().catch(() => undefined),
    text: () => text,
    seqs: () => Array.from(text.matchAll(/^id: (\d+)$/gm), ([, seq]) => Number(seq)),
    close: () => abort.abort(),
  }
}
