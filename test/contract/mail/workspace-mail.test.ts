import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeSigningKey } from '../../kit/command.ts'
import { browser, ended, join, member } from '../../kit/console.ts'
import { smtpReceiver } from '../../kit/mail.ts'
import { testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

test('invitations are mailed with a link that works, and a revoked signing key is mailed to owners', async () => {
  await using server = await smtpReceiver()
  await using service = await testService({
    KITSEAL_SMTP_URL: server.url,
    KITSEAL_MAIL_FROM: 'kits@issuer.example',
  })
  const mailTo = (address: string) => server.received.filter(({ to }) => to.includes(address))
  const owner = await member(service)
  await until(() => mailTo('owner@acme.example').length === 1)
  const invited = await owner.post('/invitations', { email: 'bob@acme.example', role: 'viewer' })
  assert.equal(invited.status, 201)
  await until(() => mailTo('bob@acme.example').length === 1)
  const [mail] = mailTo('bob@acme.example')
  const text = mail?.source.replaceAll('=\r\n', '') ?? ''
  assert.match(text, /owner@acme\.example invited you to the workspace default as viewer/)
  const [, token = ''] = /\/console\/invite#([\w-]{43})\r/.exec(text) ?? []
  assert.equal((await join(browser(service), token)).status, 200)

  const acme = await workspaceClient(service)
  const boss = await member(service, 'owner', acme.workspaceId, 'boss@acme.example')
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'one' }))
  assert.equal((await ended(boss, id))['status'], 'PASS')
  await revokeSigningKey(service)
  await until(() => mailTo('boss@acme.example').length === 2)
  // Mails are sent side by side, so they arrive in any order.
  const subjects = mailTo('boss@acme.example').map(({ headers }) => headers.get('subject') ?? '')
  assert.ok(
    subjects.some((subject) => subject.startsWith('Signing key revoked: 1 of your')),
    subjects.join(),
  )
  assert.equal(mailTo('owner@acme.example').length, 1)
  assert.ok(!service.log().includes(token))
})
