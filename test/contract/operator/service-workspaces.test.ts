import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, browser, join, member, signInByPasskey } from '../../kit/console.ts'
import { CONSOLE_ROUTES } from '../../kit/console-routes.ts'
import { type SmtpReceiver, smtpReceiver } from '../../kit/mail.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let server: SmtpReceiver
let service: TestService
let ops: Browser
let acme: WorkspaceClient
before(async () => {
  server = await smtpReceiver()
  service = await testService({ KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' })
  ops = await member(service, 'viewer', undefined, 'ops@acme.example')
  await administer(service, (admin) => admin.operators.add('ops@acme.example'))
  acme = await workspaceClient(service)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

type Json = Readonly<Record<string, unknown>>
const mailTo = (address: string, subject: RegExp) =>
  server.received.filter(
    ({ to, headers }) => to.includes(address) && subject.test(headers.get('subject') ?? ''),
  )
const tokenIn = ({ source }: { readonly source: string }): string =>
  /\/console\/invite#([\w-]{43})\r/.exec(source.replaceAll('=\r\n', ''))?.[1] ?? ''
const idOf = async (workspaceId: string, email: string): Promise<string> => {
  const { members } = (await ops.get(`/service/workspaces/${workspaceId}`)).json as { members: Json[] }
  return String(members.find((each) => each['email'] === email)?.['member_id'])
}
const newest = async (owner: Browser, action: string): Promise<Json> =>
  ((await owner.get(`/v1/audit?action=${action}&names=true`)).json['data'] as readonly Json[])[0] ?? {}

test('an operator creates a workspace, and its owner joins with the mailed link', async () => {
  const asked = { name: 'Beta Ltd', plan: 'default', email: 'Bea@beta.example' }
  const made = await ops.post('/service/workspaces', asked)
  assert.equal(made.status, 201, made.text)
  const { workspace, owner, link } = made.json as { workspace: Json; owner: string; link: unknown }
  assert.deepEqual(
    [workspace['name'], workspace['named_by'], owner],
    ['Beta Ltd', 'operator', 'bea@beta.example'],
  )
  assert.equal(link, null, 'it was mailed')
  await until(() => mailTo(owner, /Invitation/).length === 1)
  const bea = browser(service)
  assert.equal((await join(bea, tokenIn(mailTo(owner, /Invitation/)[0]!))).status, 200)
  assert.deepEqual((await newest(bea, 'workspace.created'))['by'], 'ops@acme.example')
  assert.deepEqual((await bea.get('/v1/keys')).json['data'], [], 'no API key that nobody knows')
  const wrong = await ops.post('/service/workspaces', { ...asked, plan: 'gold' })
  assert.deepEqual([wrong.status, wrong.json['code']], [404, 'plan_not_found'])
  assert.equal((await ops.post('/service/workspaces', { ...asked, email: 'x' })).status, 400)
})

test('without a mail server the link of the new owner is shown once, and passkeys cannot be reset', async () => {
  await using quiet = await testService()
  const own = await member(quiet)
  await administer(quiet, (admin) => admin.operators.add('owner@acme.example'))
  const { json } = await own.post('/service/workspaces', {
    name: 'Beta',
    plan: 'default',
    email: 'b@beta.example',
  })
  assert.equal((await join(browser(quiet), String(json['link']).split('#')[1] ?? '')).status, 200)
  const { workspace_id } = json['workspace'] as Json
  const page = (await own.get(`/service/workspaces/${String(workspace_id)}`)).json as { members: Json[] }
  const path = `/service/workspaces/${String(workspace_id)}/members/${String(page.members[0]?.['member_id'])}/reset`
  const { status, json: refused } = await own.post(path)
  assert.deepEqual([status, refused['code']], [409, 'mail_off'])
})

const list = async (query: string) =>
  (await ops.get(`/service/workspaces?${query}`)).json as {
    data: readonly Json[]
    next_cursor: string | null
  }

test('workspaces are found by a part of their name and by ID, in pages', async () => {
  await administer(service, async (admin) => {
    for (let count = 0; count < 51; count++)
      await admin.workspaces.create(
        { name: `Many 100%_${count}`, plan: 'default', credits: 1, keyLabel: 'first' },
        { is: 'operator' },
      )
  })
  const first = await list('q=many%20100%25_')
  assert.equal(first.data.length, 50)
  const second = await list(`q=many&cursor=${first.next_cursor}`)
  assert.deepEqual([second.data.length, second.next_cursor], [1, null])
  assert.deepEqual((await list('q=100x')).data, [], 'wildcards are text')
  assert.deepEqual(
    (await list(`q=${acme.workspaceId}`)).data.map(({ name }) => name),
    ['Acme'],
  )
})

test('an operator changes plan and limits and confirms the name that they have read', async () => {
  const owner = await member(service, 'owner', acme.workspaceId, 'plan@acme.example')
  const limits = {
    upload_limit_bytes: 1000,
    storage_limit_bytes: 5000,
    rate_per_minute: 600,
    mails_per_day: 7,
  }
  assert.equal((await ops.post('/service/plans', { name: 'small', ...limits })).status, 204)
  assert.equal((await ops.post('/service/plans', { name: 'small', ...limits })).json['code'], 'plan_exists')
  const path = `/service/workspaces/${acme.workspaceId}`
  const moved = await ops.send('PATCH', path, { plan: 'small' })
  assert.equal((moved.json['plan'] as Json)['mails_per_day'], 7)
  assert.equal((await newest(owner, 'workspace.changed'))['by'], 'ops@acme.example')
  const more = await ops.send('PATCH', '/service/plans/small', { ...limits, storage_limit_bytes: null })
  assert.equal(more.status, 204, more.text)
  assert.equal((await newest(owner, 'plan.changed'))['by'], 'ops@acme.example')
  assert.equal((await ops.send('PATCH', '/service/plans/gold', limits)).status, 404)
  await ops.send('PATCH', path, { plan: 'default' })

  await owner.send('PATCH', '/workspace', { name: 'Acme Corp' })
  const stale = await ops.post(`${path}/confirm-name`, { name: 'Acme' })
  assert.deepEqual([stale.status, stale.json['code']], [409, 'workspace_name_changed'])
  const confirmed = await ops.post(`${path}/confirm-name`, { name: 'Acme Corp' })
  assert.equal(confirmed.json['named_by'], 'operator')
  assert.equal((await newest(owner, 'workspace.name_confirmed'))['by'], 'ops@acme.example')
  assert.equal((await ops.get('/service/workspaces/ws_unknown')).json['code'], 'workspace_not_found')
})

test('resetting passkeys signs the member out, mails the link to them alone, and is in the audit log', async () => {
  const owner = await member(service, 'owner', acme.workspaceId, 'boss@acme.example')
  const invited = await owner.post('/invitations', { email: 'bob@acme.example', role: 'member' })
  const bob = browser(service)
  await join(bob, String(invited.json['link']).split('#')[1] ?? '')
  const path = `/service/workspaces/${acme.workspaceId}/members/${await idOf(acme.workspaceId, 'bob@acme.example')}`
  const reset = await ops.post(`${path}/reset`)
  assert.deepEqual([reset.status, reset.text], [204, ''])
  assert.equal((await bob.get('/me')).status, 401)
  assert.notEqual((await signInByPasskey(bob)).status, 200, 'the old passkey no longer works')
  await until(() => mailTo('bob@acme.example', /reset/).length === 1)
  const [mail] = mailTo('bob@acme.example', /reset/)
  assert.match(
    mail?.source.replaceAll('=\r\n', '') ?? '',
    /The operator ops@acme\.example deleted your passkeys/,
  )
  const again = browser(service)
  assert.equal((await join(again, tokenIn(mail!))).status, 200)
  assert.equal((await again.get('/me')).status, 200)
  const event = await newest(owner, 'member.access_reset')
  assert.deepEqual(
    [event['actor'], event['by'], event['subject_name']],
    ['operator', 'ops@acme.example', 'bob@acme.example'],
  )

  assert.equal((await ops.send('DELETE', path)).status, 204)
  assert.equal((await again.get('/me')).status, 401)
  assert.equal((await newest(owner, 'member.removed'))['by'], 'ops@acme.example')
  assert.equal((await ops.send('DELETE', path)).status, 404)
})

test('members of another workspace are not found, and the last owner stays', async () => {
  const alone = await workspaceClient(service)
  await member(service, 'owner', alone.workspaceId, 'alone@acme.example')
  const id = await idOf(alone.workspaceId, 'alone@acme.example')
  for (const [method, end] of [
    ['DELETE', ''],
    ['POST', '/reset'],
  ] as const) {
    const { status } = await ops.send(method, `/service/workspaces/${acme.workspaceId}/members/${id}${end}`)
    assert.equal(status, 404)
  }
  const last = await ops.send('DELETE', `/service/workspaces/${alone.workspaceId}/members/${id}`)
  assert.deepEqual([last.status, last.json['code']], [409, 'last_owner'])
})

test('no response to an operator has evidence, labels, titles or file names of a workspace', async () => {
  const W = 'Xyzzy'
  const submission = await acme.submission({
    label: `${W} label`,
    series: `${W} series`,
    tags: [W],
    metadata: { note: W },
  })
  await acme.upload(submission, form({ [`${W}.txt`]: `${W} content` }))
  const { kit_id } = await acme.ended(submission)
  const failed = await acme.submission({ label: `${W} failed` })
  await acme.upload(failed, form({ [`${W}.exe`]: 'MZ' }))
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  await acme.post('/v1/shares', { kit_id, expires_at, recipients: ['r@auditor.example'], note: `${W} note` })
  await acme.post('/v1/requests', { title: `${W} request`, items: [{ id: 'A', title: `${W} item` }] })
  await acme.post('/v1/profiles', { profile: 'own', title: `${W} profile`, description: W, items: [] })
  await acme.post('/v1/keys', { label: `${W} key` })
  const owner = await member(service, 'owner', acme.workspaceId, 'scan@acme.example')
  assert.ok((await owner.get('/v1/submissions')).text.includes(W), 'it is there')
  const reads = Object.entries(CONSOLE_ROUTES).filter(
    ([route, role]) => role === 'operator' && route.startsWith('GET'),
  )
  assert.ok(reads.length >= 4)
  for (const [route] of reads) {
    const path = route.replace('GET /console/api', '').replace(':workspace_id', acme.workspaceId)
    const { status, text } = await ops.get(path)
    assert.equal(status, 200, path)
    assert.ok(!text.includes(W), path)
    assert.ok(!/invite#|"token"/.test(text), `${path} has no link into a workspace`)
  }
  assert.ok(
    !(await ops.get('/v1/submissions')).text.includes(W),
    'an operator stays a viewer of their own workspace',
  )
})
