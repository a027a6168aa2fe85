import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zipOf } from '../../../examiner/test/evidence-samples.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
let other: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
  other = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

const find = async (query: string, client = acme): Promise<readonly string[]> => {
  const { status, json, bytes } = await client.get(`/v1/submissions?${query}`)
  assert.equal(status, 200, bytes.toString())
  return (json['data'] as readonly { readonly label: string }[]).map(({ label }) => label)
}
const patch = (client: WorkspaceClient, id: string, body: object) =>
  service.call(`/v1/submissions/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': client.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

const ATTRIBUTES = {
  external_id: 'JIRA-77',
  tags: ['Q3', 'finance team'],
  metadata: { owner: 'ann@acme.example', 'cost.center': '12' },
  series: 'Access review',
}

test('a submission keeps and shows its attributes', async () => {
  const created = await acme.post('/v1/submissions', { label: 'Attributes', ...ATTRIBUTES })
  assert.equal(created.status, 201, created.bytes.toString())
  const { external_id, tags, metadata, series } = created.json
  assert.deepEqual({ external_id, tags, metadata, series }, ATTRIBUTES)
  const plain = await acme.post('/v1/submissions', { label: 'Plain' })
  assert.deepEqual(
    [plain.json['external_id'], plain.json['tags'], plain.json['metadata'], plain.json['series']],
    [null, [], {}, null],
  )
  assert.deepEqual(await find('tag=q3'), ['Attributes'])
  assert.deepEqual(await find('tag=finance%20team'), ['Attributes'])
  assert.deepEqual(await find('tag=finance'), [], 'a tag is matched as a whole')
  assert.deepEqual(await find('external_id=JIRA-77'), ['Attributes'])
  assert.deepEqual(await find('series=Access%20review'), ['Attributes'])
  assert.deepEqual(await find('series=Access'), [])
  assert.deepEqual(await find('tag=q3', other), [], 'another workspace finds nothing')
})

test('attributes that are too long, too many or unknown are rejected', async () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ tags: many(21) }, /tags must have at most 20 items/],
    [{ tags: ['a,b'] }, /tags\[0\] must be one line of text without commas/],
    [{ tags: [''] }, /tags\[0\] must have 1 to 50 characters/],
    [{ tags: [' a'] }, /tags\[0\]/],
    [{ tags: ['Q3', 'q3'] }, /tags must not contain the same tag twice/],
    [{ tags: 'q3' }, /tags must be an array/],
    [{ external_id: 'x'.repeat(201) }, /external_id/],
    [{ series: 'a\nb' }, /series/],
    [{ metadata: { 'a b': 'x' } }, /"a b" is not allowed here/],
    [{ metadata: { a: 1 } }, /metadata\.a must be a string/],
    [{ metadata: { a: 'x'.repeat(501) } }, /metadata\.a must have at most 500 characters/],
    [{ metadata: Object.fromEntries(many(51).map((name) => [name, 'x'])) }, /metadata must have at most 50/],
  ]
  for (const [members, message] of wrong) {
    const { status, json } = await acme.post('/v1/submissions', { label: 'x', ...members })
    assert.deepEqual([status, json['code']], [400, 'body_invalid'], JSON.stringify(members).slice(0, 80))
    assert.match(String(json['message']), message)
  }
})

test('tags, metadata and external ID can be changed after the kit is issued, and the rest cannot', async () => {
  const id = await acme.submission({ label: 'To be tagged', tags: ['old'] })
  await acme.upload(id, form({ 'a.txt': 'a' }))
  await acme.ended(id)
  const changed = await patch(acme, id, { tags: ['new'], metadata: { a: 'b' }, external_id: 'X-1' })
  assert.equal(changed.status, 200, changed.bytes.toString())
  assert.deepEqual([changed.json['tags'], changed.json['metadata']], [['new'], { a: 'b' }])
  assert.deepEqual(await find('tag=old'), [])
  assert.deepEqual(await find('tag=new'), ['To be tagged'])
  const cleared = await patch(acme, id, { external_id: null })
  assert.deepEqual([cleared.json['external_id'], cleared.json['tags']], [null, ['new']])
  for (const body of [{ label: 'Another' }, { series: null }, { tags: ['a', 'A'] }])
    assert.equal((await patch(acme, id, body)).json['code'], 'body_invalid', JSON.stringify(body))
  assert.equal((await patch(other, id, { tags: [] })).json['code'], 'submission_not_found')
  const events = (await acme.get(`/v1/audit?subject=${id}&action=submission.changed`)).json['data']
  assert.deepEqual(
    (events as readonly { readonly details: object }[]).map(({ details }) => details),
    [{ changed: 'external_id' }, { changed: 'external_id tags metadata' }],
  )
})

test('a file name finds its submission, inside a ZIP too', async () => {
  const packed = await acme.submission({ label: 'Packed' })
  await acme.upload(packed, form({ 'bundle.zip': zipOf({ 'hr/2026-Payroll.csv': 'a,b\n', 'x.txt': 'x' }) }))
  assert.equal((await acme.ended(packed))['status'], 'PASS')
  const draft = await acme.submission({ label: 'Draft' })
  await acme.upload(draft, form({ 'payrollOld.txt': 'a' }, { final: false }))
  assert.deepEqual(await find('path=payroll'), ['Draft', 'Packed'])
  assert.deepEqual(await find('path=PAYROLL&status=PASS'), ['Packed'])
  assert.deepEqual(await find('path=bundle'), ['Packed'], 'the upload itself')
  assert.deepEqual(await find('path=roll'), [])
  assert.deepEqual(await find('path=%25'), [], '% is no wildcard')
  assert.deepEqual(await find('path=payroll', other), [])
})

test('lists are filtered by label, status and time, sorted, and paged', async () => {
  for (const label of ['beta review', 'Alpha Review', 'gamma'])
    await other.submission({ label, tags: ['list'] })
  assert.deepEqual(await find('label=rev', other), ['Alpha Review', 'beta review'])
  assert.deepEqual(await find('label=rev%20alp', other), ['Alpha Review'])
  assert.deepEqual(await find('status=PENDING&label=gam', other), ['gamma'])
  assert.deepEqual(await find('status=PASS', other), [])
  assert.deepEqual(await find('sort=label', other), ['Alpha Review', 'beta review', 'gamma'])
  assert.deepEqual(await find('sort=-label&limit=1', other), ['gamma'])
  assert.deepEqual(await find('sort=created_at', other), ['beta review', 'Alpha Review', 'gamma'])
  assert.deepEqual(await find('created_before=2020-01-01T00:00:00Z', other), [])
  assert.equal((await find('created_after=2020-01-01T00:00:00%2B01:00', other)).length, 3)
  const first = await other.get('/v1/submissions?sort=label&tag=list&limit=2')
  const cursor = String(first.json['next_cursor'])
  assert.deepEqual(await find(`sort=label&tag=list&limit=2&cursor=${cursor}`, other), ['gamma'])
  const mixed = await other.get(`/v1/submissions?sort=-label&cursor=${cursor}`)
  assert.deepEqual([mixed.status, mixed.json['code']], [400, 'query_invalid'])
  for (const wrong of ['sort=name', 'created_after=yesterday', 'status=DONE', 'tag=', 'color=red'])
    assert.equal((await other.get(`/v1/submissions?${wrong}`)).json['code'], 'query_invalid', wrong)
})
