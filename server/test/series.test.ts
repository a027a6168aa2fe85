import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { canonicalJson, parseStrictJson } from '../../kit/src/index.ts'
import { member } from './console-client.ts'
import { type TestService, testService } from './test-service.ts'
import { form, type WorkspaceClient, workspaceClient } from './workspace-client.ts'

const PROGRAM = `MZ${'\0'.repeat(300)}`
let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
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

test('the console lists the series of the workspace alone', async () => {
  const viewer = await member(service, 'viewer')
  assert.deepEqual((await viewer.get('/series')).json, { series: [] })
  const own = await member(service, 'viewer', acme.workspaceId, 'own@acme.example')
  const { series } = (await own.get('/series')).json as unknown as {
    series: readonly { series: string; kits: number }[]
  }
  assert.deepEqual(series.map(({ series: name, kits }) => [name, kits]).toSorted(), [
    ['Access review', 3],
    ['Another series', 1],
  ])
})
