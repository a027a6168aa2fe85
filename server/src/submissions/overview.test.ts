import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Compilable, sql } from 'kysely'
import { overviewQueries } from './overview.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { openStore } from '../open-store.ts'
import { ended, member } from '../../test/console-client.ts'
import { testService } from '../../test/test-service.ts'
import { form } from '../../test/workspace-client.ts'

interface Overview {
  readonly is_empty: boolean
  readonly failed: readonly { readonly submission_id: string; readonly label: string }[]
  readonly requests: readonly { readonly title: string }[]
  readonly shares: readonly { readonly label: string }[]
  readonly keys: readonly { readonly label: string }[]
  readonly evidence: object | null
}

const inDays = (days: number): string => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString()

test('the overview lists what needs attention', async () => {
  await using service = await testService()
  const [ann, viewer] = [await member(service, 'owner'), await member(service, 'viewer')]
  const overview = async (user = ann): Promise<Overview> =>
    (await user.get('/v1/overview')).json as unknown as Overview
  const first = await overview()
  assert.deepEqual(
    [first.is_empty, first.failed, first.requests, first.shares, first.keys, first.evidence],
    [true, [], [], [], [], null],
  )

  const submit = async (label: string, files: Record<string, string>) => {
    const id = String((await ann.post('/v1/submissions', { label })).json['submission_id'])
    await ann.upload(id, form(files))
    return ended(ann, id)
  }
  const failed = await submit('Broken', { 'a.txt': 'so it was\n', 'b.pdf': '' })
  const passed = await submit('Sound', { 'a.txt': 'so it was\n' })
  assert.deepEqual([failed['status'], passed['status']], ['FAIL', 'PASS'])
  for (const [days, note] of [
    [3, 'soon'],
    [30, 'later'],
  ] as const) {
    const body = { kit_id: passed['kit_id'], expires_at: inDays(days), note }
    assert.equal((await ann.post('/v1/shares', body)).status, 201)
    assert.equal((await ann.post('/v1/keys', { label: note, expires_days: days })).status, 201)
    const request = { title: note, due_at: inDays(days), items: [{ id: 'a', title: 'A' }], recipients: [] }
    const asked = await ann.post('/v1/requests', request)
    assert.equal(asked.status, 201, asked.text)
  }
  const after = await overview()
  assert.deepEqual(
    [after.is_empty, after.failed.map(({ label }) => label), after.shares.map(({ label }) => label)],
    [false, ['Broken'], ['Sound']],
  )
  assert.deepEqual(
    [after.requests.map(({ title }) => title), after.keys.map(({ label }) => label)],
    [['soon'], ['soon']],
  )
  assert.deepEqual((await overview(viewer)).keys, [], 'viewers do not manage keys')

  const again = await ann.post(`/v1/submissions/${String(failed['submission_id'])}/resubmit`, { keep: [0] })
  assert.equal(again.status, 201, again.text)
  assert.deepEqual((await overview()).failed, [], 'a resubmitted failure needs no attention')
})

test('every query of the overview reads an index', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const of = { workspaceId: 'ws_acme' as WorkspaceId, retentionDays: 365, withKeys: true }
  const queries: Record<string, Compilable | undefined> = overviewQueries(store.db, Date.now(), of)
  for (const [name, query] of Object.entries(queries)) {
    const { sql: text, parameters } = query?.compile() ?? { sql: '', parameters: [] }
    const bound = parameters.reduce<string>((all, value) => all.replace('?', `'${String(value)}'`), text)
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${bound}`).execute(store.db)
    const plan = rows.map(({ detail }) => detail).join('\n')
    assert.match(plan, /SEARCH/, name)
    assert.doesNotMatch(plan, /SCAN/, `${name}: ${plan}`)
  }
})
