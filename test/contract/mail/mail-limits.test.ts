import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { member } from '../../kit/console.ts'
import { smtpReceiver, type SmtpReceiver } from '../../kit/mail.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { administer, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Noon tomorrow: after the time at which commands enqueue mail, and far from midnight. */
const time = { now: (Math.ceil(Date.now() / DAY_MS) + 0.5) * DAY_MS }

let server: SmtpReceiver
let service: TestService

before(async () => {
  server = await smtpReceiver()
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' }
  service = await testService(settings, { now: () => time.now })
  await administer(service, (admin) => admin.plans.create('few', { mailsPerDay: 8 }))
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

interface Mail {
  readonly to: string
  readonly request: { readonly status: string; readonly reason: string | null } | null
}

const request = async (client: WorkspaceClient, recipients: readonly string[]): Promise<readonly Mail[]> => {
  const items = [{ id: 'a', title: 'Anything' }]
  const made = await client.post('/v1/requests', { title: 'Access review', items, recipients })
  assert.equal(made.status, 201, made.bytes.toString())
  return made.json['mails'] as readonly Mail[]
}
const failed = (mails: readonly Mail[]): readonly Mail[] =>
  mails.filter((mail) => mail.request?.status === 'failed')
const strangers = (count: number): string[] =>
  Array.from({ length: count }, () => `${Math.random().toString(36).slice(2)}@example.com`)
const mailTo = (address: string) => server.received.filter(({ to }) => to.includes(address))

test('a key that mails strangers sends as many mails a day as its plan allows, and the rest fail with the reason', async () => {
  const acme = await workspaceClient(service, { plan: 'few' })
  const mails = [...(await request(acme, strangers(6))), ...(await request(acme, strangers(6)))]
  assert.equal(failed(mails).length, 4)
  for (const { request: mail } of failed(mails)) assert.match(mail?.reason ?? '', /8 mails a day/)
  const sent = mails.filter((mail) => mail.request?.status !== 'failed').map(({ to }) => to)
  await until(() => sent.every((to) => mailTo(to).length === 1))
  for (const { to } of failed(mails)) assert.equal(mailTo(to).length, 0)

  const other = await workspaceClient(service, { plan: 'few' })
  assert.equal(failed(await request(other, strangers(8))).length, 0, 'another workspace')
  time.now += DAY_MS
  assert.equal(failed(await request(acme, strangers(8))).length, 0, 'the next day')
})

test('a stranger gets at most five mails a day from one workspace', async () => {
  const acme = await workspaceClient(service)
  for (let count = 0; count < 5; count += 1)
    assert.deepEqual(failed(await request(acme, ['ann@example.com'])), [])
  const [mail] = await request(acme, ['Ann@Example.com'])
  assert.equal(mail?.request?.status, 'failed')
  assert.match(mail?.request?.reason ?? '', /5 mails a day/)
  const other = await workspaceClient(service)
  assert.deepEqual(failed(await request(other, ['ann@example.com'])), [])
})

test('every mail to an outsider has a link to unsubscribe, after which mail of that workspace fails', async () => {
  const acme = await workspaceClient(service)
  await request(acme, ['bob@example.com'])
  await until(() => mailTo('bob@example.com').length === 1)
  const headers = mailTo('bob@example.com')[0]?.headers
  assert.equal(headers?.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const [, url = ''] = /^<(\S+\/u\/[\w-]{43})>$/.exec(headers?.get('list-unsubscribe') ?? '') ?? []
  const page = await (await fetch(url)).text()
  assert.match(
    page,
    /bob@example\.com will get no more mail from Acme[\s\S]+<button type="submit">Unsubscribe/,
  )
  assert.deepEqual(failed(await request(acme, ['bob@example.com'])), [], 'a GET changes nothing')

  assert.equal((await fetch(url, { method: 'POST', body: new URLSearchParams() })).status, 200)
  const [mail] = await request(acme, ['BOB@example.com', 'carol@example.com'])
  assert.deepEqual(
    [mail?.request?.status, mail?.request?.reason],
    ['failed', 'The recipient has unsubscribed.'],
  )
  const other = await workspaceClient(service)
  assert.deepEqual(failed(await request(other, ['bob@example.com'])), [], 'another workspace')
})

test('mail to members has no limit and no link to unsubscribe, and an invitation has both', async () => {
  const acme = await workspaceClient(service)
  const invited = mailTo.bind(null, 'owner@mail.example')
  await member(service, 'owner', acme.workspaceId, 'owner@mail.example')
  await until(() => invited().length === 1)
  assert.ok(invited()[0]?.headers.has('list-unsubscribe'))
  for (let count = 0; count < 7; count += 1)
    assert.deepEqual(failed(await request(acme, ['owner@mail.example'])), [])
  await until(() => invited().length === 8)
  assert.ok(!invited()[7]?.headers.has('list-unsubscribe'))
})

test('the sender of a share gets the link that could not be mailed', async () => {
  const acme = await workspaceClient(service)
  const { workspaceId: workspace_id } = acme
  await request(acme, ['dan@example.com'])
  await until(() => mailTo('dan@example.com').length === 1)
  const [, url = ''] =
    /^<(\S+)>$/.exec(mailTo('dan@example.com')[0]?.headers.get('list-unsubscribe') ?? '') ?? []
  assert.equal((await fetch(url, { method: 'POST', body: new URLSearchParams() })).status, 200)
  const job = await acme.post('/v1/intake/jobs', { tenant_id: workspace_id, scope_label: 'to share' })
  const path = `/v1/intake/jobs/${String(job.json['job_id'])}`
  await until(async () => (await acme.get(path)).json['status'] === 'ISSUED')
  const made = await acme.post('/v1/shares', {
    kit_id: (await acme.get(path)).json['kit_id'],
    expires_at: new Date(time.now + DAY_MS).toISOString(),
    recipients: ['dan@example.com'],
  })
  const [recipient] = made.json['recipients'] as { url: string | null; mail: { status: string } }[]
  assert.equal(recipient?.mail.status, 'failed')
  assert.match(recipient?.url ?? '', /\/s\/[\w-]{43}$/)
})
