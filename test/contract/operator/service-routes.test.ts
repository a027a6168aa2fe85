import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, member } from '../../kit/console.ts'
import { type SmtpReceiver, smtpReceiver } from '../../kit/mail.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { administer } from '../../kit/workspace.ts'

let server: SmtpReceiver
let service: TestService
let ops: Browser
before(async () => {
  server = await smtpReceiver()
  service = await testService({ KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' })
  ops = await member(service, 'viewer', undefined, 'ops@acme.example')
  await administer(service, (admin) => admin.operators.add('ops@acme.example'))
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const mailTo = (address: string) => server.received.filter(({ to }) => to.includes(address))

const isTest = ({ headers }: { headers: ReadonlyMap<string, string> }) =>
  headers.get('subject')?.startsWith('Test mail from') === true

test('an operator sends a test mail to their own address, and reads what became of it', async () => {
  assert.equal((await ops.get('/service')).json['test_mail'], null)
  assert.equal((await ops.post('/service/test-mail')).status, 204)
  await until(() => mailTo('ops@acme.example').some(isTest))
  await until(async () => {
    const { test_mail: sent } = (await ops.get('/service')).json as { test_mail: { status: string } | null }
    return sent?.status === 'sent'
  })
  assert.equal((await ops.post('/service/test-mail', { to: 'someone@else.example' })).status, 400)
})

test('without a mail server there is no test mail', async () => {
  await using quiet = await testService()
  const own = await member(quiet)
  await administer(quiet, (admin) => admin.operators.add('owner@acme.example'))
  const { status, json } = await own.post('/service/test-mail')
  assert.deepEqual([status, json['code']], [409, 'mail_off'])
})
