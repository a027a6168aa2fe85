import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { canonicalJson, parseStrictJson } from '@kitseal/kit/internal'
import { member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const PROGRAM = `MZ${'\0'.repeat(300)}`
const DAY_MS = 86_400_000
let aheadMs = 0
let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService({}, { now: () => Date.now() + aheadMs })
  acme = await workspaceClient(service, { credits: 30 })
})
after(() => service[Symbol.asyncDispose]())

interface SeriesReport {
  readonly series: string
  readonly previous: { readonly kit_id: string; readonly receipt_sha256: string } | null
  readonly differences: Readonly<Record<string, unknown>> | null
}

async function submit(files: Record<string, string>, members: object, client = acme): Promise<string> {
  const id = await client.submission(members)
  await client.upload(id, form(files))
  const ended = await client.ended(id)
  assert.equal(ended['status'], 'PASS', JSON.stringify(ended['blockers']))
  return id
}
const report = async (id: string, client = acme) => {
  const { status, json } = await client.get(`/v1/submissions/${id}/deliverables/reports/series.json`)
  return { status, ...(json as unknown as SeriesReport) }
}

const paths = (list: unknown) => (list as readonly { path: string }[]).map(({ path }) => path)

test('a kit of a series names the receipt of the kit before it, and the differences', async () => {
  const series = { series: 'Access review' }
  const first = await submit({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }, series)
  const start = await report(first)
  assert.deepEqual([start.series, start.previous, start.differences], ['Access review', null, null])

  await submit({ 'a.txt': 'other' }, { series: 'Another series' })
  const second = await submit({ 'a.txt': 'a2', 'moved/b.txt': 'b', 'd.txt': 'd' }, series)
  const { previous, differences } = await report(second)
  const kit = (await acme.get(`/v1/submissions/${first}`)).json['kit_id']
  assert.equal(previous?.kit_id, kit)
  const receipt = await acme.get(`/v1/kits/${String(kit)}/receipt`)
  const canonical = canonicalJson(parseStrictJson(receipt.bytes))
  assert.equal(previous?.receipt_sha256, createHash('sha256').update(canonical).digest('hex'))
  assert.ok(differences !== null)
  assert.deepEqual(
    [paths(differences['added']), paths(differences['removed']), paths(differences['changed'])],
    [['data/d.txt'], ['data/c.txt'], ['data/a.txt']],
  )
  assert.deepEqual(
    (differences['moved'] as readonly { from: string; to: string }[]).map(({ from, to }) => [from, to]),
    [['data/b.txt', 'data/moved/b.txt']],
  )
  assert.equal(differences['unchanged'], 0)
})

test('a kit without a series has no such report, and a failed submission is no step of a series', async () => {
  assert.equal((await report(await submit({ 'a.txt': 'a' }, {}))).status, 404)
  const failed = await acme.submission({ series: 'Access review' })
  await acme.upload(failed, form({ 'tool.txt': PROGRAM }))
  assert.equal((await acme.ended(failed))['status'], 'FAIL')
  const third = await submit({ 'a.txt': 'a3' }, { series: 'Access review' })
  assert.notEqual((await report(third)).previous, null)
})

test('another workspace with a series of the same name is not its predecessor', async () => {
  const other = await workspaceClient(service)
  assert.equal(
    (await report(await submit({ 'a.txt': 'a' }, { series: 'Access review' }, other), other)).previous,
    null,
  )
})

interface Timeline {
  readonly data: readonly {
    readonly kit_id: string
    readonly previous_kit_id: string | null
    readonly gap_days: number | null
  }[]
  readonly next_cursor: string | null
}

test('series are listed newest first, for the workspace alone, in the API and in the console', async () => {
  const viewer = await member(service, 'viewer')
  assert.deepEqual((await viewer.get('/v1/series')).json['data'], [])
  const own = await member(service, 'viewer', acme.workspaceId, 'own@acme.example')
  for (const get of [acme.get, own.get]) {
    const { data: series } = (await get('/v1/series')).json as unknown as {
      data: readonly { series: string; kits: number }[]
    }
    assert.deepEqual(
      series.map(({ series: name, kits }) => [name, kits]),
      [
        ['Access review', 3],
        ['Another series', 1],
      ],
    )
  }
  const first = (await acme.get('/v1/series?limit=1')).json
  const rest = (await acme.get(`/v1/series?limit=1&cursor=${String(first['next_cursor'])}`)).json
  assert.match(JSON.stringify([first['data'], rest['data']]), /Access review.*Another series/)
  assert.equal(rest['next_cursor'], null)
})

test('the timeline of a series has its kits in order, with gaps, and nothing of another series', async () => {
  const timeline = async (path: string) => {
    const { status, json } = await acme.get(`/v1/series/${path}`)
    return { status, ...(json as unknown as Timeline) }
  }
  const { data: kits } = await timeline('Access%20review')
  assert.equal(kits.length, 3)
  assert.deepEqual(
    kits.map(({ previous_kit_id }) => previous_kit_id),
    [kits[1]?.kit_id, kits[2]?.kit_id, null],
  )
  const page = await timeline('Access%20review?limit=2')
  assert.deepEqual(page.data, kits.slice(0, 2))
  const next = await timeline(`Access%20review?limit=2&cursor=${page.next_cursor}`)
  assert.deepEqual([next.data, next.next_cursor], [kits.slice(2), null])
  for (const name of ['No%20such', 'access%20review', 'Access%2Freview'])
    assert.equal((await timeline(name)).status, 404, name)

  for (const days of [0, 90, 91, 184]) {
    aheadMs += days * DAY_MS
    await submit({ 'a.txt': `after ${days} days` }, { series: 'Q/1 – Prüfung' })
  }
  const slashed = (await acme.get(`/v1/series/${encodeURIComponent('Q/1 – Prüfung')}`))
    .json as unknown as Timeline
  assert.deepEqual(
    slashed.data.map(({ gap_days }) => gap_days),
    [184, null, null, null],
  )
})

test('any two kits of a workspace can be compared', async () => {
  const [newest, , oldest] = ((await acme.get('/v1/series/Access%20review')).json as unknown as Timeline).data
  const compare = (from = '', to = '', client = acme) => client.get(`/v1/compare?from=${from}&to=${to}`)
  const { json } = await compare(oldest?.kit_id, newest?.kit_id)
  assert.deepEqual(
    [paths(json['added']), paths(json['removed']), paths(json['changed'])],
    [[], ['data/b.txt', 'data/c.txt'], ['data/a.txt']],
  )
  const other = await workspaceClient(service)
  assert.equal((await compare(oldest?.kit_id, newest?.kit_id, other)).status, 404)
  assert.equal((await compare(oldest?.kit_id, 'x')).status, 404)
  assert.equal((await acme.get('/v1/compare')).status, 400)
})

test('a kit that was issued without a series can be added to one, and the next kit names it as the one before', async () => {
  const id = await submit({ 'a.txt': 'a' }, {})
  const kit = (await acme.get(`/v1/submissions/${id}`)).json['kit_id']
  const add = (name: string) =>
    service.call(`/v1/submissions/${id}`, {
      method: 'PATCH',
      headers: { 'x-api-key': acme.key, 'content-type': 'application/json' },
      body: JSON.stringify({ series: name }),
    })
  const added = await add('Restore test')
  assert.deepEqual([added.status, added.json['series']], [200, 'Restore test'])
  const { json } = await acme.get('/v1/series/Restore%20test')
  assert.deepEqual(
    (json['data'] as readonly { kit_id: string }[]).map(({ kit_id }) => kit_id),
    [kit],
  )
  assert.equal((await add('Restore test')).status, 200, 'adding it again changes nothing')
  const next = await submit({ 'a.txt': 'a' }, { series: 'Restore test' })
  assert.equal((await report(next)).previous?.kit_id, kit)
  const { data } = (await acme.get('/v1/series')).json as { data?: unknown }
  const listed = (data as readonly { series: string; kits: number }[]).find(
    (each) => each.series === 'Restore test',
  )
  assert.equal(listed?.kits, 2, 'each kit is counted once')
  const refused = await add('Another')
  assert.deepEqual([refused.status, refused.json['code']], [409, 'series_fixed'])
})

const dueOf = async () => (await acme.get('/v1/series/Monthly')).json['next_due_at']

test('a series with three kits says when the next one is due, one with two does not', async () => {
  const series = { series: 'Monthly' }
  for (const round of [1, 2]) {
    await submit({ 'a.txt': `${round}` }, series)
    aheadMs += 30 * DAY_MS
  }
  assert.equal(await dueOf(), null)
  await submit({ 'a.txt': '3' }, series)
  const due = Date.parse(String(await dueOf()))
  assert.ok(Math.abs(due - Date.now() - aheadMs - 30 * DAY_MS) < DAY_MS, new Date(due).toISOString())
})
