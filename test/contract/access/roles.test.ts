import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../kit/access-fixture.ts'
import { CONSOLE_ROUTES } from '../../kit/console-routes.ts'
import { type Browser, browser, inviteLink, member } from '../../kit/console.ts'
import { operations } from '../../kit/openapi.ts'
import { printedRoutes } from '../../kit/routes.ts'
import { testService } from '../../kit/service.ts'
import { administer, workspaceClient } from '../../kit/workspace.ts'

/** Unknown IDs, so that an allowed request is a 404. */
const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  ':submission_id': 'sub_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':kit_id': 'kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':key_id': 'key_AAAAAAAAAAAAAAAAAAAAAA',
  ':member_id': 'mem_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':invitation_id': 'inv_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':session_id': 'ses_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':passkey_id': 'AAAAAAAA',
  ':name': 'kit.zip',
}

/** Routes that end the session. */
const SKIPPED = new Set(['POST /console/api/sign-out', 'POST /console/api/sign-out-everywhere'])

/** What the handler asks of a draft's owner. */
const OF_DRAFTS = new Set([
  'DELETE /v1/submissions/:submission_id',
  'PATCH /v1/programs/:program_id/periods/:period/items/:item_id',
])

/** From the lowest to the highest: each may do what those before it may. */
const MEMBER_ROLES = ['viewer', 'member', 'manager', 'owner'] as const

const DESCRIBED = operations
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ path, method, operation }) => ({
    route: `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    scope: operation['x-scope'] ?? '',
    role: operation['x-role'] ?? '',
  }))
const OF_CONSOLE = Object.entries(CONSOLE_ROUTES).map(([route, role]) => ({ route, role, scope: '' }))

const ROUTES = [...DESCRIBED, ...OF_CONSOLE].map(({ route, role, scope }) => {
  const [method = '', path = ''] = route.split(' ')
  const url = path.replace('/console/api', '').replaceAll(/:\w+/g, (name) => UNKNOWN_IDS[name] ?? name)
  // An endless response, so the parameter is wrong.
  const wrong = route === 'GET /v1/events/stream' ? '?after=x' : ''
  const isOfDrafts = OF_DRAFTS.has(route)
  return {
    route,
    role,
    scope,
    isOfDrafts,
    method,
    url: url + wrong,
    isChange: method !== 'GET',
    isOfApi: path.startsWith('/v1/'),
  }
})
type Route = (typeof ROUTES)[number]

/** Routes where it matters who calls. */
const GUARDED = ROUTES.filter(({ role }) => role !== 'anyone')
const OF_API = GUARDED.filter(({ isOfApi }) => isOfApi)

/** For the routes of resumable uploads. */
const TUS = { 'tus-resumable': '1.0.0', 'x-http-method-override': 'PATCH' }

/** A body that is invalid on every route, so that an allowed request is a 400 or 404. */
const call = (user: Browser, { method, url }: Route, headers: Record<string, string> = {}) =>
  method === 'GET'
    ? user.get(url, { ...TUS, ...headers })
    : user.send(method, url, method === 'DELETE' ? undefined : { nothing: 1 }, { ...TUS, ...headers })

const statusAndCode = async (answer: ReturnType<typeof call>): Promise<string> => {
  const { status, json } = await answer
  return `${status} ${String(json['code'] ?? '')}`
}

test('every route allows exactly the roles in the table', async () => {
  await using service = await testService()
  await member(service, 'owner')
  for (const role of MEMBER_ROLES) {
    const user = await member(service, role, undefined, `${role}2@acme.example`)
    for (const each of ROUTES.filter(({ route }) => !SKIPPED.has(route))) {
      const { status, json } = await call(user, each)
      const needed = each.isOfDrafts ? 'member' : each.role
      const isAllowed =
        needed === 'anyone' ||
        needed === 'self' ||
        (needed !== 'operator' && MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed as typeof role))
      const what = `${role}: ${each.route} → ${status} ${String(json['code'])}`
      if (isAllowed) assert.ok(![401, 403].includes(status) || json['code'] === 'sign_in_failed', what)
      else assert.deepEqual([status, json['code']], [403, 'role_insufficient'], what)
    }
  }
})

test('every route of the console is in the table', async () => {
  await using service = await testService()
  const routes = printedRoutes(service.service.app).filter(([, path]) => path.startsWith('/console/api/'))
  assert.deepEqual(
    routes
      .filter(([method]) => method !== 'HEAD')
      .map((route) => route.join(' '))
      .toSorted(),
    Object.keys(CONSOLE_ROUTES).toSorted(),
  )
})

test('only owners manage members, keys, webhooks, CI systems, trust, settings and deletion, and managers do the rest', () => {
  const ofOwners =
    /members\/:|invitations|\/keys|webhooks|federation|PUT \/v1\/trust|workspace$|hold$|reissue|DELETE \/v1\/submissions\/:submission_id$/
  for (const { route, role } of ROUTES.filter(
    (each) => each.isChange && each.role !== 'anyone' && each.role !== 'operator',
  ))
    if (ofOwners.test(route)) assert.equal(role, 'owner', route)
    else assert.notEqual(role, 'owner', route)
})

test('every change by a session comes from a page of the console', async () => {
  await using service = await testService()
  const user = await member(service)
  for (const each of GUARDED.filter(({ isChange }) => isChange))
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'x-console-request': '' },
    ])
      assert.equal(
        await statusAndCode(call(user, each, headers as Record<string, string>)),
        '403 cross_site_refused',
        `${each.route} ${JSON.stringify(headers)}`,
      )
  assert.equal((await user.get('/me')).status, 200)
})

test('another site reads nothing with a session', async () => {
  await using service = await testService()
  const [user, nobody] = [await member(service), browser(service)]
  for (const each of GUARDED.filter(({ isChange }) => !isChange))
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      assert.equal(
        await statusAndCode(call(user, each, headers as Record<string, string>)),
        await statusAndCode(call(nobody, each)),
        `${each.route} ${JSON.stringify(headers)}`,
      )
})

test('a cookie that is not valid counts as none', async () => {
  await using service = await testService()
  const [nobody, stranger, gone] = [browser(service), browser(service), await member(service)]
  stranger.cookies.set('kitseal-console', 'A'.repeat(43))
  const kept = new Map(gone.cookies)
  await gone.post('/sign-out')
  for (const each of GUARDED) {
    const expected = each.isOfApi ? await statusAndCode(call(nobody, each)) : '401 session_required'
    if (each.isOfApi) assert.ok(/^40[04]|^401 api_key_required$/.test(expected), `${each.route}: ${expected}`)
    gone.cookies = new Map(kept)
    for (const user of [nobody, stranger, gone])
      assert.equal(await statusAndCode(call(user, each)), expected, each.route)
    stranger.cookies.set('kitseal-console', 'A'.repeat(43))
  }
})

test('a key beats a cookie', async () => {
  await using service = await testService()
  const user = await member(service)
  const scopes = SCOPES.map((scope) => SCOPES.filter((each) => each !== scope))
  const keys = new Map<string, string>(
    await Promise.all(
      scopes.map(async (given, index) => {
        const { json } = await user.post('/v1/keys', { label: `${index}`, scopes: given })
        return [SCOPES[index] ?? '', String(json['api_key'])] as const
      }),
    ),
  )
  for (const each of OF_API) {
    const lacking = keys.get(each.scope) ?? ''
    if (!each.isOfDrafts && each.scope !== 'none')
      assert.equal(
        await statusAndCode(call(user, each, { 'x-api-key': lacking })),
        '403 scope_missing',
        each.route,
      )
    const invalid = call(user, each, { 'x-api-key': 'ks_wrong' })
    assert.equal(await statusAndCode(invalid), '401 api_key_invalid', each.route)
    // Programs do not send the headers of a page.
    const valid = call(user, each, {
      'x-api-key': service.service.firstApiKey ?? '',
      origin: 'https://app.example',
      'x-console-request': '',
    })
    assert.doesNotMatch(await statusAndCode(valid), /^40[13]/, each.route)
  }
  for (const each of GUARDED.filter(({ isOfApi }) => !isOfApi)) {
    const sent = call(user, each, { 'x-api-key': service.service.firstApiKey ?? '' })
    assert.equal(await statusAndCode(sent), '401 session_required', each.route)
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
  for (const each of GUARDED.filter(({ route }) => !SKIPPED.has(route))) {
    const { status, json } = await call(user, each)
    // Kits and jobs can be public.
    if (each.role === 'self') assert.notEqual(status, 403, each.route)
    else if (each.role === 'operator') assert.equal(json['code'], 'role_insufficient', each.route)
    else if (status !== 404 && status !== 400)
      assert.deepEqual([status, json['code']], [403, 'api_access_off'], each.route)
    else assert.match(each.route, /^(?:GET|POST) \/v1\/(?:kits|intake)\//)
  }
  const { workspace } = (await user.get('/me')).json as { workspace: { entitled: boolean } }
  assert.equal(workspace.entitled, false)
})

test('responses to a session are not stored', async () => {
  await using service = await testService()
  const user = await member(service)
  for (const each of GUARDED.filter(({ method }) => method === 'GET')) {
    const { headers } = await call(user, each)
    assert.match(headers.get('cache-control') ?? '', /\bno-store\b/, each.route)
  }
})

test('resources of another workspace are not found on any route', async () => {
  await using service = await testService()
  const other = await workspaceClient(service)
  const stranger = await member(service, 'owner', other.workspaceId, 'eve@other.example')
  const sub = await other.submission()
  await other.upload(sub, singleFile())
  const kit = String((await other.ended(sub))['kit_id'])
  const [key] = (await stranger.get('/v1/keys')).json['data'] as readonly { key_id: string }[]
  const { members } = (await stranger.get('/members')).json as { members: readonly { member_id: string }[] }
  const invited = await stranger.post('/invitations', { email: 'new@other.example', role: 'member' })
  const { invitation_id } = invited.json['invitation'] as { invitation_id: string }

  const ann = await member(service)
  for (const [method, path, body] of [
    ['POST', `/v1/submissions/${sub}/resubmit`, { keep: [] }],
    ['GET', `/v1/submissions/${sub}`],
    ['GET', `/v1/submissions/${sub}/deliverables`],
    ['GET', `/v1/submissions/${sub}/deliverables/kit.zip`],
    ['GET', `/v1/kits/${kit}/files/data/review.csv`],
    ['GET', `/v1/compare?from=${kit}&to=${kit}`],
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
  for (const path of ['/v1/submissions', `/v1/submissions?q=${sub}`, '/v1/audit'])
    assert.ok(!(await ann.get(path)).text.includes(sub), path)
  assert.equal((await stranger.get(`/v1/kits/${kit}`)).status, 200)
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
  const { role } = (await bob.get('/me')).json['member'] as { role: string }
  assert.equal(role, 'owner', 'from the next request on')
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
  await ann.send('PATCH', '/workspace', { name: 'Acme', public_kits: 'none' })
  await ann.post('/v1/keys', { label: 'ci' })
  await ann.post('/v1/submissions', { label: 'Q3' })
  const { data: events } = (await ann.get('/v1/audit')).json as { data: readonly Record<string, unknown>[] }
  const own = events.filter((event) => event['member_id'] === member_id)
  assert.ok(own.every((event) => event['actor'] === 'member' && event['key_id'] === null))
  assert.deepEqual(
    own.map((event) => event['action']),
    ['submission.created', 'key.created', 'workspace.changed', 'session.started', 'member.joined'],
  )
})

test('the first start invites its owner, who says who they are and names the workspace', async () => {
  await using service = await testService()
  const link = service.service.firstInvitation ?? ''
  assert.ok(link.startsWith(`${service.base.replace('127.0.0.1', 'localhost')}/console/invite#`), link)
  const user = browser(service)
  const token = link.slice(link.indexOf('#') + 1)
  const { workspace } = (await user.post('/invitation', { token })).json as {
    workspace: { named_by: string }
  }
  assert.equal(workspace.named_by, 'service')
  const person = { name: 'Ann Meier', email: 'Ann@acme.example', workspace_name: 'Acme Ltd' }
  const joined = await user.post('/invitation/accept', { token, ...person })
  const me = joined.json as Record<string, Record<string, unknown>>
  assert.deepEqual(
    [me['member']?.['name'], me['member']?.['email'], me['member']?.['role']],
    ['Ann Meier', 'ann@acme.example', 'owner'],
  )
  assert.deepEqual([me['workspace']?.['name'], me['workspace']?.['named_by']], ['Acme Ltd', 'workspace'])
  const workspaceId = String(me['workspace']?.['workspace_id'])
  const bob = await inviteLink(service, 'bob@acme.example', { workspaceId, role: 'member' })
  const named = await browser(service).post('/invitation/accept', { token: bob, workspace_name: 'Bank' })
  assert.deepEqual([named.status, named.json['code']], [403, 'role_insufficient'])
})

test('members change their own name and address, but not to that of another member', async () => {
  await using service = await testService()
  const ann = await member(service, 'viewer', undefined, 'ann@acme.example')
  await member(service, 'member', undefined, 'bob@acme.example')
  const changed = await ann.send('PATCH', '/me', { name: ' Ann Meier ', email: 'Ann.Meier@acme.example' })
  const { name, email } = changed.json['member'] as Record<string, unknown>
  assert.deepEqual([name, email], ['Ann Meier', 'ann.meier@acme.example'])
  const taken = await ann.send('PATCH', '/me', { email: 'BOB@acme.example' })
  assert.deepEqual([taken.status, taken.json['code']], [409, 'member_exists'])
  for (const wrong of [{ email: 'nobody' }, { name: '' }, { name: 'a\u202eb' }, { role: 'owner' }])
    assert.equal((await ann.send('PATCH', '/me', wrong)).status, 400, JSON.stringify(wrong))
  const { member: me } = (await ann.get('/me')).json as { member: Record<string, unknown> }
  assert.deepEqual([me['name'], me['email'], me['role']], ['Ann Meier', 'ann.meier@acme.example', 'viewer'])
})

const singleFile = (): FormData => {
  const form = new FormData()
  form.append('file', new File(['name,role\nann,admin\n'], 'review.csv'))
  return form
}
