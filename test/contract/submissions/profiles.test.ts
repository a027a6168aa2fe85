import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { member } from '../../kit/console.ts'
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

const MINUTES = {
  profile: 'board-pack',
  title: 'Board pack',
  description: 'What the board gets for each meeting.',
  items: [{ id: 'minutes', title: 'Minutes of the last meeting', example: 'minutes-2026-09.pdf' }],
}
const send = (method: string, path: string, body?: object, client = acme) =>
  service.call(path, {
    method,
    headers: {
      'x-api-key': client.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const names = async (client = acme): Promise<readonly string[]> =>
  ((await client.get('/v1/profiles')).json['data'] as readonly { profile: string }[]).map(
    ({ profile }) => profile,
  )

test('a workspace has the profiles of the service and its own, and nobody else sees those', async () => {
  assert.deepEqual(await names(), [
    'default',
    'iso-27001-annex-a',
    'access-review',
    'soc-2-common-criteria',
    'vendor-security-review',
  ])
  const created = await send('POST', '/v1/profiles', MINUTES)
  assert.equal(created.status, 201, created.bytes.toString())
  assert.deepEqual([created.json['source'], created.json['version']], ['workspace', 1])
  assert.equal(created.headers.get('location'), '/v1/profiles/board-pack')
  assert.ok((await names()).includes('board-pack'))
  assert.ok(!(await names(other)).includes('board-pack'))
  assert.equal((await other.get('/v1/profiles/board-pack')).json['code'], 'profile_not_found')
  const foreign = await other.post('/v1/submissions', { label: 'x', profile: 'board-pack' })
  assert.deepEqual([foreign.status, foreign.json['code']], [400, 'body_invalid'])
  assert.match(String(foreign.json['message']), /profile must be one of access-review, default, iso/)
  assert.equal((await send('DELETE', '/v1/profiles/board-pack', undefined, other)).status, 404)
})

test('a submission is checked with the version of the profile that it was created with', async () => {
  const early = await acme.submission({ profile: 'board-pack' })
  const stricter = { ...MINUTES, items: [...MINUTES.items, { id: 'budget', title: 'Budget' }] }
  const changed = await send('PUT', '/v1/profiles/board-pack', stricter)
  assert.deepEqual([changed.status, changed.json['version']], [200, 2])
  const late = await acme.submission({ profile: 'board-pack' })
  assert.equal((await send('DELETE', '/v1/profiles/board-pack')).status, 204)
  for (const id of [early, late]) await acme.upload(id, form({ 'minutes/september.txt': 'as agreed' }))
  assert.equal((await acme.ended(early))['status'], 'PASS')
  const failed = await acme.ended(late)
  assert.deepEqual(
    (failed['blockers'] as readonly { code: string; message: string }[]).map(({ code }) => code),
    ['profile_item_missing'],
  )
  assert.equal((await acme.post('/v1/submissions', { label: 'x', profile: 'board-pack' })).status, 400)
  const again = await send('POST', '/v1/profiles', MINUTES)
  assert.deepEqual([again.status, again.json['version']], [201, 3], 'a deleted name can be used again')
})

test('a file whose name matches counts once the submission confirms it, and a new try keeps that', async () => {
  const profile = {
    ...MINUTES,
    profile: 'by-name',
    items: [{ id: 'minutes', title: 'M', paths: ['*board*'] }],
  }
  assert.equal((await send('POST', '/v1/profiles', profile)).status, 201)
  const submit = async (confirm: object[], files: Record<string, string>) => {
    const { json } = await acme.post('/v1/submissions', { label: 'Board', profile: 'by-name', confirm })
    const id = String(json['submission_id'])
    await acme.upload(id, form(files))
    return acme.ended(id)
  }
  const files = { 'board.txt': 'as agreed' }
  assert.equal((await submit([], files))['status'], 'FAIL')
  const confirm = [{ item: 'minutes', path: 'board.txt' }]
  assert.equal((await submit(confirm, files))['status'], 'PASS')
  const failed = await submit(confirm, { ...files, 'empty.pdf': '' })
  const again = await acme.post(`/v1/submissions/${String(failed['submission_id'])}/resubmit`, { keep: [0] })
  const next = String(again.json['submission_id'])
  await acme.upload(next, form({}, { final: true }))
  assert.equal((await acme.ended(next))['status'], 'PASS')
})

test('invalid, duplicate and built-in profiles are rejected with every problem', async () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ ...MINUTES, profile: 'Not A Name' }, /profile/],
    [{ ...MINUTES, profile: 'y', items: [{ id: 'a', title: 't', types: ['exe'] }] }, /"exe" is not one of/],
    [{ ...MINUTES, profile: 'x', items: [MINUTES.items[0], MINUTES.items[0]] }, /duplicate id "minutes"/],
    [{ ...MINUTES, color: 'red' }, /"color" is not allowed here/],
    [{ profile: 'x', items: [{ id: 'a' }] }, /title is missing.*description is missing/],
  ]
  for (const [body, message] of wrong) {
    const { status, json } = await send('POST', '/v1/profiles', body)
    assert.deepEqual([status, json['code']], [400, 'body_invalid'], JSON.stringify(body))
    assert.match(String(json['message']), message)
  }
  const codes = [
    await send('POST', '/v1/profiles', MINUTES),
    await send('POST', '/v1/profiles', { ...MINUTES, profile: 'default' }),
    await send('PUT', '/v1/profiles/default', { ...MINUTES, profile: 'default' }),
    await send('DELETE', '/v1/profiles/access-review'),
    await send('PUT', '/v1/profiles/unknown', { ...MINUTES, profile: 'unknown' }),
    await send('PUT', '/v1/profiles/board-pack', { ...MINUTES, profile: 'renamed' }),
  ].map(({ json }) => json['code'])
  assert.deepEqual(codes, [
    'profile_exists',
    'profile_exists',
    'profile_read_only',
    'profile_read_only',
    'profile_not_found',
    'body_invalid',
  ])
})

test('in the console every member reads profiles, and managers and owners change them', async () => {
  for (const [role, status] of [
    ['viewer', 403],
    ['member', 403],
    ['manager', 201],
    ['owner', 201],
  ] as const) {
    const one = await member(service, role)
    assert.equal((await one.get('/v1/profiles')).status, 200)
    assert.equal((await one.post('/v1/profiles', { ...MINUTES, profile: `of-${role}` })).status, status, role)
  }
})
