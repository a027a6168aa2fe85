import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCESS, MEMBER_ROLES, permissionsOf } from './permissions.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { type Browser, browser, inviteLink, member } from '../../test/console-client.ts'
import { testService } from '../../test/test-service.ts'
import { administer, workspaceClient } from '../../test/workspace-client.ts'

/** Unknown IDs, so that an allowed request is a 404. */
const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  ':submission_id': 'sub_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':kit_id': 'kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':key_id': 'key_AAAAAAAAAAAAAAAAAAAAAA',
  ':member_id': 'mem_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':invitation_id': 'inv_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':session_id': 'ses_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':passkey_id': 'AAAAAAAA',
  '*': 'kit.zip',
}

/** Routes that end the session, or stream forever. */
const SKIPPED = new Set(['POST /sign-out', 'POST /sign-out-everywhere', 'GET /events'])

const ROUTES = Object.entries(ACCESS).map(([route, access]) => {
  const [method = '', path = ''] = route.split(' ')
  const url = path.replaceAll(/:\w+|\*/g, (name) => UNKNOWN_IDS[name] ?? name)
  return { route, access, method, url }
})

/** A body that is invalid on every route, so that an allowed request is a 400 or 404. */
const call = (user: Browser, { method, url }: (typeof ROUTES)[number]) =>
  method === 'GET' ? user.get(url) : user.send(method, url, method === 'DELETE' ? undefined : { nothing: 1 })

test('every route allows exactly the roles in the permission table', async () => {
  await using service = await testService()
  await member(service, 'owner')
  for (const role of MEMBER_ROLES) {
    const user = await member(service, role, undefined, `${role}2@acme.example`)
    for (const each of ROUTES.filter(({ route }) => !SKIPPED.has(route))) {
      const { status, json } = await call(user, each)
      const isAllowed =
        each.access === 'anyone' || each.access === 'self' || permissionsOf(role).includes(each.access)
      const what = `${role}: ${each.route} → ${status} ${String(json['code'])}`
      if (isAllowed) assert.ok(![401, 403].includes(status) || json['code'] === 'sign_in_failed', what)
      else assert.deepEqual([status, json['code']], [403, 'role_insufficient'], what)
    }
  }
})

test('without a session only the sign-in routes work', async () => {
  await using service = await testService()
  const stranger = browser(service)
  stranger.cookies.set('kitseal-console', 'A'.repeat(43))
  for (const user of [browser(service), stranger]) {
    for (const each of ROUTES.filter(({ access }) => access !== 'anyone')) {
      const { status, json } = await call(user, each)
      assert.deepEqual([status, json['code']], [401, 'session_required'], each.route)
    }
  }
})

test('with a plan without API access only the own account works', async () => {
  await using service = await testService()
  const user = await member(service, 'owner')
  await administer(service, async (admin) => {
    await admin.plans.create('closed', { apiAccess: false })
    const [workspace] = await admin.workspaces.list()
    await admin.workspaces.update(workspace!.workspace_id, { plan: 'closed' }, { is: 'operator' })
  })
  for (const each of ROUTES.filter(({ route, access }) => access !== 'anyone' && !SKIPPED.has(route))) {
    const { status, json } = await call(user, each)
    if (each.access === 'self') assert.notEqual(status, 403, each.route)
    else assert.deepEqual([status, json['code']], [403, 'api_access_off'], each.route)
  }
  const { workspace } = (await user.get('/me')).json as { workspace: { entitled: boolean } }
  assert.equal(workspace.entitled, false)
})

test('resources of another workspace are not found on any route', async () => {
  await using service = await testService()
  const other = await workspaceClient(service)
  const stranger = await member(service, 'owner', other.workspaceId, 'eve@other.example')
  const sub = await other.submission()
  await other.upload(sub, singleFile())
  const kit = String((await other.ended(sub))['kit_id'])
  const [key] = (await stranger.get('/v1/keys')).json['keys'] as readonly { key_id: string }[]
  const { members } = (await stranger.get('/members')).json as { members: readonly { member_id: string }[] }
  const invited = await stranger.post('/invitations', { email: 'new@other.example', role: 'member' })
  const { invitation_id } = invited.json['invitation'] as { invitation_id: string }

  const ann = await member(service)
  for (const [method, path, body] of [
    ['GET', `/submissions/${sub}`],
    ['GET', `/submissions/${sub}/binder`],
    ['POST', `/submissions/${sub}/resubmit`, { keep: [] }],
    ['GET', `/v1/submissions/${sub}`],
    ['GET', `/v1/submissions/${sub}/deliverables`],
    ['GET', `/v1/submissions/${sub}/deliverables/kit.zip`],
    ['GET', `/kits/${kit}`],
    ['GET', `/compare?from=${kit}&to=${kit}`],
    ['POST', `/v1/keys/${key?.key_id}/rotate`, {}],
    ['DELETE', `/v1/keys/${key?.key_id}`],
    ['PATCH', `/members/${members[0]?.member_id}`, { role: 'viewer' }],
    ['DELETE', `/members/${members[0]?.member_id}`],
    ['POST', `/invitations/${invitation_id}/revoke`, {}],
  ] as const) {
    const { status, text } = method === 'GET' ? await ann.get(path) : await ann.send(method, path, body)
    assert.equal(status, 404, `${method} ${path}: ${text}`)
  }
  const upload = await ann.upload(sub, singleFile())
  assert.equal(upload.status, 404)
  for (const path of ['/submissions', `/submissions?q=${sub}`, '/v1/submissions', '/v1/audit'])
    assert.ok(!(await ann.get(path)).text.includes(sub), path)
  assert.equal((await stranger.get(`/kits/${kit}`)).status, 200)
})

test('the last owner cannot be removed, and a removed member is signed out at once', async () => {
  await using service = await testService()
  const ann = await member(service, 'owner', undefined, 'ann@acme.example')
  const bob = await member(service, 'member', undefined, 'bob@acme.example')
  const listed = (await ann.get('/members')).json['members'] as readonly Record<string, unknown>[]
  const idOf = (email: string) => String(listed.find((each) => each['email'] === email)?.['member_id'])
  const last = await ann.send('DELETE', `/members/${idOf('ann@acme.example')}`)
  assert.deepEqual([last.status, last.json['code']], [409, 'last_owner'])
  const demoted = await ann.send('PATCH', `/members/${idOf('ann@acme.example')}`, { role: 'member' })
  assert.equal(demoted.json['code'], 'last_owner')

  const promoted = await ann.send('PATCH', `/members/${idOf('bob@acme.example')}`, { role: 'owner' })
  assert.equal(promoted.status, 200, promoted.text)
  assert.deepEqual((await bob.get('/me')).json['can'], permissionsOf('owner'), 'from the next request on')
  assert.equal((await bob.send('DELETE', `/members/${idOf('ann@acme.example')}`)).status, 204)
  assert.equal((await ann.get('/me')).status, 401)
  const again = await bob.send('DELETE', `/members/${idOf('ann@acme.example')}`)
  assert.deepEqual([again.status, again.json['code']], [404, 'member_not_found'])
  // A removed member can be invited again, as a new member.
  const back = await member(service, 'viewer', undefined, 'ann@acme.example')
  const { member_id } = (await back.get('/me')).json['member'] as { member_id: string }
  assert.notEqual(member_id, idOf('ann@acme.example'))
})

test('of two owners who remove each other, one stays', async () => {
  await using service = await testService()
  const users = [
    await member(service, 'owner', undefined, 'ann@acme.example'),
    await member(service, 'owner', undefined, 'bob@acme.example'),
  ] as const
  const listed = (await users[0].get('/members')).json['members'] as readonly Record<string, unknown>[]
  const idOf = (email: string) => String(listed.find((each) => each['email'] === email)?.['member_id'])
  await Promise.all([
    users[0].send('DELETE', `/members/${idOf('bob@acme.example')}`),
    users[1].send('DELETE', `/members/${idOf('ann@acme.example')}`),
  ])
  const states = await Promise.all(users.map(async (user) => (await user.get('/me')).status))
  assert.deepEqual(states.toSorted(), [200, 401])
})

test('owners create and revoke invitations, but not for existing members', async () => {
  await using service = await testService()
  const ann = await member(service, 'owner', undefined, 'ann@acme.example')
  const made = await ann.post('/invitations', { email: 'Bob@acme.example', role: 'viewer' })
  assert.equal(made.status, 201, made.text)
  const link = String(made.json['link'])
  assert.ok(link.startsWith(`${ann.origin}/console/invite#`), link)
  const open = (await ann.get('/members')).json['invitations'] as readonly Record<string, unknown>[]
  assert.deepEqual(
    open.slice(0, 1).map(({ email, role, invited_by }) => [email, role, invited_by]),
    [['bob@acme.example', 'viewer', 'ann@acme.example']],
  )
  const { invitation_id } = made.json['invitation'] as { invitation_id: string }
  assert.equal((await ann.post(`/invitations/${invitation_id}/revoke`)).status, 204)
  const token = link.slice(link.indexOf('#') + 1)
  assert.equal((await browser(service).post('/invitation/accept', { token })).status, 404)
  assert.equal((await ann.post(`/invitations/${invitation_id}/revoke`)).json['code'], 'invitation_not_found')
  await member(service, 'member', undefined, 'bob@acme.example')
  const taken = await ann.post('/invitations', { email: 'bob@acme.example', role: 'owner' })
  assert.deepEqual([taken.status, taken.json['code']], [409, 'member_exists'])
  const wrong = await ann.post('/invitations', { email: 'nobody', role: 'king', more: 1 })
  assert.equal(wrong.json['code'], 'body_invalid')
  assert.match(String(wrong.json['message']), /"more".*email must be.*role must be one of/)
})

test('the audit log names the member of every change', async () => {
  await using service = await testService()
  const ann = await member(service, 'owner', undefined, 'ann@acme.example')
  const { member_id } = (await ann.get('/me')).json['member'] as { member_id: string }
  await ann.send('PATCH', '/workspace', { proposed_name: 'Acme', public_kits: 'none' })
  await ann.post('/v1/keys', { label: 'ci' })
  await ann.post('/v1/submissions', { label: 'Q3' })
  const { events } = (await ann.get('/v1/audit')).json as { events: readonly Record<string, unknown>[] }
  const own = events.filter((event) => event['member_id'] === member_id)
  assert.ok(own.every((event) => event['actor'] === 'member' && event['key_id'] === null))
  assert.deepEqual(
    own.map((event) => event['action']),
    [
      'submission.created',
      'key.created',
      'workspace.changed',
      'workspace.name_proposed',
      'session.started',
      'member.joined',
    ],
  )
})

test('the first start prints an invitation for the first owner', async () => {
  await using service = await testService()
  const link = service.service.firstInvitation ?? ''
  assert.ok(link.startsWith(`${service.base.replace('127.0.0.1', 'localhost')}/console/invite#`), link)
  const user = browser(service)
  const joined = await user.post('/invitation/accept', { token: link.slice(link.indexOf('#') + 1) })
  assert.equal((joined.json['member'] as { role: string }).role, 'owner')
  assert.equal((joined.json['workspace'] as { name: string }).name, 'default')
  const workspaceId = (joined.json['workspace'] as { workspace_id: WorkspaceId }).workspace_id
  assert.ok(await inviteLink(service, 'bob@acme.example', { workspaceId }))
})

const singleFile = (): FormData => {
  const form = new FormData()
  form.append('file', new File(['name,role\nann,admin\n'], 'review.csv'))
  return form
}
