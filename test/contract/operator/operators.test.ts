import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browser, type Browser, inviteLink, join, member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { administer, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
before(async () => {
  service = await testService()
})
after(() => service[Symbol.asyncDispose]())

const add = (email: string) => administer(service, (admin) => admin.operators.add(email))
const remove = (email: string) => administer(service, (admin) => admin.operators.remove(email))
const isOperator = async (user: Browser): Promise<boolean> => {
  const { status, json } = await user.get('/service')
  if (status !== 200) assert.deepEqual([status, json['code']], [403, 'role_insufficient'])
  assert.equal((await user.get('/me')).json['is_operator'], status === 200)
  return status === 200
}
const tokenOf = (made: { readonly json: Readonly<Record<string, unknown>> }): string =>
  String(made.json['link']).split('#')[1] ?? ''

test('an operator is a person with the confirmed address, until it is removed', async () => {
  const ops = await member(service, 'viewer', undefined, 'ops@acme.example')
  assert.equal(await isOperator(ops), false)
  assert.equal(await add('Ops@acme.example'), true)
  assert.equal(await add('ops@acme.example'), false, 'already one')
  assert.equal(await isOperator(ops), true)
  const other = await workspaceClient(service)
  const elsewhere = await member(service, 'member', other.workspaceId, 'ops@acme.example')
  assert.equal(
    await isOperator(elsewhere),
    true,
    'in every workspace that they joined with a link of the operator',
  )
  assert.equal(await remove('ops@acme.example'), true)
  assert.deepEqual([await isOperator(ops), await isOperator(elsewhere)], [false, false], 'at once')
  assert.equal(await remove('ops@acme.example'), false)
  const events = (await ops.get('/v1/audit?action=operator')).json['data'] as readonly Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    events.map(({ actor, action }) => [actor, action]),
    [
      ['operator', 'operator.removed'],
      ['operator', 'operator.added'],
    ],
  )
})

test('nobody becomes an operator by entering the address of one', async () => {
  await add('boss@acme.example')
  const eve = await member(service, 'owner', undefined, 'eve@acme.example')
  assert.equal((await eve.send('PATCH', '/me', { email: 'boss@acme.example' })).status, 200)
  assert.equal(await isOperator(eve), false, 'own address changed')

  const other = await workspaceClient(service)
  const mallory = await member(service, 'owner', other.workspaceId, 'mallory@acme.example')
  const invited = await mallory.post('/invitations', { email: 'boss@acme.example', role: 'viewer' })
  const trap = browser(service)
  assert.equal((await join(trap, tokenOf(invited))).status, 200)
  assert.equal(await isOperator(trap), false, 'invited by an owner')

  const named = browser(service)
  const token = await inviteLink(service, 'new@acme.example', {
    workspaceId: (await workspaceClient(service)).workspaceId,
  })
  const accepted = await named.post('/invitation/accept', { token, email: 'boss@acme.example' })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal(await isOperator(named), false, 'entered when joining')
  const [{ status } = { status: '' }] = await administer(service, (admin) => admin.operators.list())
  assert.equal(status, 'waiting')

  // The link of the operator proves the address, and ends what was there before.
  const boss = browser(service)
  const proof = await inviteLink(service, 'boss@acme.example', { workspaceId: other.workspaceId })
  assert.equal((await join(boss, proof)).status, 200)
  assert.equal(await isOperator(boss), true)
  assert.equal((await trap.get('/me')).status, 401, 'the person who joined with the address before is out')
  assert.equal(((await boss.get('/passkeys')).json['passkeys'] as readonly unknown[]).length, 1)
  await boss.send('PATCH', '/me', { email: 'else@acme.example' })
  assert.equal(await isOperator(boss), false, 'another address')
  await boss.send('PATCH', '/me', { email: 'boss@acme.example' })
  assert.equal(await isOperator(boss), false, 'and back')
})

test('the person who opens the link of the first start has a confirmed address', async () => {
  await using fresh = await testService()
  const token = new URL(fresh.service.firstInvitation ?? '').hash.slice(1)
  const first = browser(fresh)
  assert.equal((await first.post('/invitation/accept', { token, email: 'ann@acme.example' })).status, 200)
  await administer(fresh, (admin) => admin.operators.add('ann@acme.example'))
  assert.equal((await first.get('/service')).status, 200)
})
