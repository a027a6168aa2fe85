import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { member } from '../../kit/console.ts'
import { smtpReceiver } from '../../kit/mail.ts'
import { supplierClient } from '../../kit/supplier.ts'
import { testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface Mail {
  readonly to: string
  readonly request: { readonly status: string; readonly reason: string | null } | null
  readonly reminder: Mail['request']
}

test('a request says for each recipient whether the mail is queued, sent or failed, and why', async () => {
  await using server = await smtpReceiver((_message, to) =>
    to.includes('wrong@supplier.example') ? 550 : undefined,
  )
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  await using service = await testService(settings)
  const acme = await workspaceClient(service)
  const recipients = ['ann@supplier.example', 'wrong@supplier.example']
  const asked = { title: 'Review', items: [{ id: 'A', title: 'Accounts' }] }
  const { json } = await acme.post('/v1/requests', { ...asked, recipients })
  assert.deepEqual(
    (json['mails'] as readonly Mail[]).map(({ request }) => request?.status),
    ['queued', 'queued'],
  )
  const path = `/v1/requests/${String(json['evidence_request_id'])}`
  const mails = async (): Promise<readonly Mail[]> => (await acme.get(path)).json['mails'] as Mail[]
  await until(async () => (await mails()).every(({ request }) => request?.status !== 'queued'))
  const [ann, wrong] = await mails()
  assert.deepEqual([ann?.request?.status, ann?.reminder], ['sent', null])
  assert.equal(wrong?.request?.status, 'failed')
  assert.match(wrong?.request?.reason ?? '', /550/)

  const reminded = await acme.post(`${path}/remind`, {})
  assert.equal(reminded.status, 200)
  assert.equal((reminded.json['mails'] as readonly Mail[])[0]?.reminder?.status, 'queued')
  await until(async () => (await mails())[0]?.reminder?.status === 'sent')
  const links = server.received.map(
    ({ source }) => /http:\/\/\S+\/r\/[\w-]{43}/.exec(source.replaceAll(/=\r?\n/g, ''))?.[0],
  )
  assert.equal(new Set(links).size, 2, 'a link of its own')
  for (const link of links)
    assert.equal(
      (await supplierClient(service, link ?? '').show()).status,
      200,
      'the first one keeps working',
    )

  const owner = await member(service, 'owner', acme.workspaceId)
  assert.equal((await owner.send('PATCH', '/workspace', { language: 'de' })).status, 200)
  await acme.post('/v1/requests', { ...asked, recipients: ['uwe@supplier.example'] })
  const toUwe = () => server.received.find(({ to }) => to.includes('uwe@supplier.example'))
  await until(async () => toUwe() !== undefined)
  assert.match(
    toUwe()?.headers.get('subject') ?? '',
    /bittet um Nachweise/,
    'in the language of the workspace',
  )

  const lonely = await acme.post('/v1/requests', asked)
  const alone = await acme.post(`/v1/requests/${String(lonely.json['evidence_request_id'])}/remind`, {})
  assert.deepEqual([alone.status, alone.json['code']], [409, 'request_without_recipients'])
})

const REMINDER = /^Reminder/

test('the supplier is mailed the request, reminders and the review; the link in a mail works; the requester is mailed what was submitted', async () => {
  // Removed after the service, which may still write a mail, has ended.
  using folders = new DisposableStack()
  const folder = folders.adopt(mkdtempSync(join(tmpdir(), 'kitseal-mail-')), (made) =>
    rmSync(made, { recursive: true }),
  )
  let nowMs = Date.now()
  const clock = { now: () => nowMs }
  const settings = { KITSEAL_SMTP_URL: `file:${folder}`, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  await using service = await testService(settings, clock)
  const acme = await workspaceClient(service)
  await member(service, 'owner', acme.workspaceId, 'boss@acme.example')
  const remind = () => service.service.runDue()
  const mails = (): readonly string[] =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, ''))
  /** How many mails with this subject were sent to this address. */
  const sent = (to: string, subject: RegExp): number =>
    mails().filter(
      (text) => text.includes(`To: ${to}`) && subject.test(/^Subject: (.*)/m.exec(text)?.[1] ?? ''),
    ).length
  const ann = 'ann@supplier.example'

  const { json } = await acme.post('/v1/requests', {
    title: 'Access review',
    items: [
      { id: 'A', title: 'Accounts' },
      { id: 'B', title: 'Approvals' },
    ],
    recipients: ['ann@supplier.example'],
    due_at: new Date(nowMs + 10 * DAY_MS).toISOString(),
  })
  const path = `/v1/requests/${String(json['evidence_request_id'])}`
  const LINK = /http:\/\/\S+\/r\/[\w-]{43}/
  await until(() => sent(ann, /requests evidence: Access review/) === 1)
  const link = LINK.exec(mails().find((text) => text.includes(`To: ${ann}`)) ?? '')?.[0] ?? ''
  assert.equal((await supplierClient(service, link).show()).json['title'], 'Access review')

  await remind()
  nowMs += 3.5 * DAY_MS
  await Promise.all([remind(), remind()])
  await remind()
  assert.equal(sent(ann, REMINDER), 1)
  nowMs += 6 * DAY_MS
  await remind()
  nowMs += 1.2 * DAY_MS
  await remind()
  assert.equal(sent(ann, REMINDER), 3)
  nowMs += 1
  await acme.post(`${path}/remind`, {})
  await acme.post(`${path}/items/A`, { status: 'needs_changes' })
  const reason = 'We have none.'
  await acme.post(`${path}/items/A`, { status: 'not_applicable', reason })
  await acme.post(`${path}/items/B`, { status: 'not_applicable', reason })
  // What is on its way when the clock jumps is sent again.
  await remind()
  nowMs += 5 * DAY_MS
  await remind()
  assert.deepEqual([sent(ann, REMINDER), sent(ann, /changes/), sent(ann, /accepted/)], [4, 1, 1])

  const asked = await acme.post('/v1/requests', { title: 'Plans', items: [{ id: 'A', title: 'Plan' }] })
  const supplier = supplierClient(service, (asked.json['link'] as { readonly url: string }).url)
  const failing = await supplier.draft()
  await supplier.upload(failing, { 'A/tool.txt': `MZ${'\0'.repeat(300)}` })
  assert.equal(await supplier.submit(failing), 'FAIL')
  const draft = await supplier.draft()
  await supplier.call('/files/0', { method: 'DELETE' })
  await supplier.upload(draft, { 'A/plan.txt': 'the plan' })
  assert.equal(await supplier.submit(draft), 'PASS')
  await until(() => sent('boss@acme.example', /^Plans: submitted by the supplier/) === 1)
  // A failed round is corrected by the supplier, and is no news for the requester.
  assert.equal(sent('boss@acme.example', /^Plans/), 1)
})
