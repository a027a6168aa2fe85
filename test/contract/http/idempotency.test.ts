import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { administer, clientOf, workspaceClient } from '../../kit/workspace.ts'

const ONCE = { 'idempotency-key': 'one' }
const PROGRAM = {
  cadence: 'none',
  starts_on: '2026-10-01',
  items: [{ item_id: 'users', title: 'List of users', due_days: 14 }],
}

test('an Idempotency-Key belongs to one path with its parameters', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const program = async (name: string) =>
    String((await acme.post('/v1/programs', { ...PROGRAM, name })).json['program_id'])
  const [first, second] = [await program('First'), await program('Second')]
  const opened = [first, second].map((id) => acme.post(`/v1/programs/${id}/periods`, {}, ONCE))
  for (const [index, { json, status, headers }] of (await Promise.all(opened)).entries()) {
    assert.equal(status, 201)
    assert.equal(json['program_id'], [first, second][index])
    assert.equal(headers.get('idempotency-replayed'), null)
  }
  const again = await acme.post(`/v1/programs/${first}/periods`, {}, ONCE)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
})

test('an Idempotency-Key belongs to its caller, and to equal bodies in any order of members', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const other = await administer(service, ({ keys }) =>
    keys.create(acme.workspaceId as never, { label: 'other' }, { is: 'operator' }),
  )
  const colleague = clientOf(service, acme.workspaceId, other.text)
  const first = await acme.post('/v1/submissions', '{"label":"x","series":"y"}', ONCE)
  const again = await acme.post('/v1/submissions', '{ "series": "y", "label": "x" }', ONCE)
  const theirs = await colleague.post('/v1/submissions', { label: 'x', series: 'y' }, ONCE)
  assert.deepEqual(again.json, first.json)
  assert.notEqual(theirs.json['submission_id'], first.json['submission_id'])
  assert.equal((await acme.post('/v1/submissions', { label: 'z' }, ONCE)).status, 409)
})

test('of ten concurrent requests with one Idempotency-Key, one creates', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const sent = Array.from({ length: 10 }, () => acme.post('/v1/submissions', { label: 'x' }, ONCE))
  const ids = new Set((await Promise.all(sent)).map(({ json }) => json['submission_id']))
  assert.equal(ids.size, 1)
  assert.equal(((await acme.get('/v1/submissions')).json['data'] as unknown[]).length, 1)
})
