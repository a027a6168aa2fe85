import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { Registry } from 'prom-client'
import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import verifier from '../../../texts/verifier.generated.ts'
import { smtpReceiver, type SmtpReceiver } from '../../../test/kit/mail.ts'
import { until } from '../../../test/kit/until.ts'
import type { Db } from '../database/schema.ts'
import { openSqlite } from '../database/sqlite.ts'
import { DECLARED } from '../tables.ts'
import { timestamp } from '../runtime/clock.ts'
import { randomIdentifiers, type WorkspaceId } from '../runtime/identifiers.ts'
import { newWorkspace } from '../../test/new-workspace.ts'
import { secretsAtRest } from '../keys/secrets-at-rest.ts'
import { mail, type MailMessage } from './mail.ts'
import { forgetMails, sendingMail } from './send-mail.ts'
import { type Runner, startRunner } from '../tasks/run-tasks.ts'
import { claimTasks } from '../tasks/tasks.ts'
import { registerDeliveryMetrics } from './delivery-tasks.ts'
import { mailServer } from './mail-server.ts'
import { renderMail, phrase, type TemplateName, IS_ABOUT_EVIDENCE } from './render-mail.ts'
import texts from '../../../texts/mail.generated.ts'

const FROM = 'Kits <kits@issuer.example>'
const ISSUER = 'https://kits.example'
const quiet = { warn: () => {}, error: assert.fail }
let now = Date.parse('2026-03-01T00:00:00Z')
const clock = { now: () => now }
const folder = mkdtempSync(join(tmpdir(), 'kitseal-mail-'))
let db: Db
let workspaceId: WorkspaceId
const secrets = secretsAtRest(undefined)
const sender = mail({ clock, identifiers: randomIdentifiers(), isOn: true, secrets })

before(async () => {
  db = await openSqlite(join(folder, 'kitseal.sqlite'), undefined, { tables: DECLARED })
  workspaceId = await newWorkspace(db, clock)
})
// Mails to one person are limited by the day.
beforeEach(() => {
  now += 24 * 60 * 60_000
})
after(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const reminder = (dedupe: string, to = 'ann@example.com'): MailMessage => ({
  to,
  workspaceId,
  template: 'reminder',
  data: { workspace: 'Acme', title: 'Q1', when: 'is due tomorrow', due: '2 March', open: '3', link: '/r/x' },
  dedupe,
})
const share = (dedupe: string, title = 'Q1', to = 'ann@example.com'): MailMessage => ({
  to,
  workspaceId,
  template: 'share',
  data: { workspace: 'Acme', title, note: '', password: '', link: '/s/token', expires: '3 March' },
  dedupe,
})

const kindTo = (server: Pick<SmtpReceiver, 'url'>) =>
  sendingMail({
    db,
    clock,
    issuer: ISSUER,
    config: { from: FROM },
    secrets,
    log: quiet,
    send: mailServer({ server: { is: 'smtp', url: server.url }, from: FROM }),
  })

const running = (server: SmtpReceiver, owner = 'node'): Runner =>
  startRunner({ db, clock, owner, leaseMs: 1000, kinds: [kindTo(server)], log: quiet })

const row = (dedupe: string) =>
  db.selectFrom('mails').selectAll().where('dedupe', '=', dedupe).executeTakeFirstOrThrow()

test('mail has text and HTML, its links lead to the service, and its content is forgotten', async () => {
  await using server = await smtpReceiver()
  const deliveries = running(server)
  await sender.send(db, share('plain'))
  deliveries.poll()
  await until(async () => (await row('plain')).state === 'sent')
  await deliveries.stop()
  const [received] = server.received
  assert.deepEqual(received?.to, ['ann@example.com'])
  assert.equal(received.headers.get('subject'), 'Acme shared evidence with you: Q1')
  assert.equal(received.headers.get('from'), FROM)
  assert.match(received.headers.get('message-id') ?? '', /^<mail_[\w-]{29}@issuer\.example>$/)
  assert.match(received.headers.get('content-type') ?? '', /^multipart\/alternative/)
  assert.match(received.source, /https:\/\/kits\.example\/s\/token/)
  assert.equal((await row('plain')).payload, null)
})

test('a busy mail server is tried again with the same Message-ID, a rejection is final', async () => {
  await using server = await smtpReceiver((message) => (message === 1 ? 451 : undefined))
  const deliveries = running(server)
  await sender.send(db, share('busy'))
  deliveries.poll()
  await until(async () => (await row('busy')).problem !== null)
  const waiting = await row('busy')
  assert.match(waiting.problem ?? '', /451/)
  assert.equal(waiting.state, 'pending')
  assert.equal(server.received.length, 0)
  now += 60_000
  deliveries.poll()
  await until(() => server.received.length === 1)
  assert.equal(server.received[0]?.headers.get('message-id'), `<${waiting.mail_id}@issuer.example>`)
  server.answer = () => 550
  await sender.send(db, share('rejected'))
  deliveries.poll()
  await until(async () => (await row('rejected')).state === 'failed')
  await deliveries.stop()
  assert.match((await row('rejected')).problem ?? '', /550/)
  assert.equal((await row('rejected')).payload, null)
})

test('mail waits while no mail server answers', async () => {
  const gone = await smtpReceiver()
  await gone[Symbol.asyncDispose]()
  const deliveries = running(gone)
  await sender.send(db, share('down'))
  deliveries.poll()
  await until(async () => (await row('down')).problem !== null)
  await deliveries.stop()
  assert.equal((await row('down')).state, 'pending')
  await db.deleteFrom('tasks').execute()
})

test('a mail is given up after two days, counted, and at last removed', async () => {
  await using server = await smtpReceiver(() => 451)
  const deliveries = running(server)
  await sender.send(db, share('never'))
  for (let attempt = 0; (await row('never')).state === 'pending'; attempt += 1) {
    assert.ok(attempt < 12)
    await deliveries.run()
    now += 16 * 60 * 60_000
  }
  await deliveries.stop()
  const registry = new Registry()
  registerDeliveryMetrics(registry, db, clock)
  assert.match(await registry.metrics(), /deliveries_failed\{channel="mail"\} 1\n/)
  assert.match(await registry.metrics(), /deliveries_pending\{channel="mail"\} 0\n/)
  now += 91 * 24 * 60 * 60_000
  await forgetMails(db, clock)
  await assert.rejects(row('never'))
})

test('mail that is sent twice with one key arrives once', async () => {
  await using server = await smtpReceiver()
  const deliveries = running(server)
  await sender.send(db, share('once'))
  await sender.send(db, share('once'))
  await sender.send(db, share('other'))
  deliveries.poll()
  await until(async () => (await row('other')).state === 'sent' && (await row('once')).state === 'sent')
  await sender.send(db, share('once'))
  deliveries.poll()
  await deliveries.stop()
  assert.equal(server.received.length, 2)
})

test('a node killed after sending leads to at most a duplicate with the same Message-ID', async () => {
  await using server = await smtpReceiver()
  await sender.send(db, share('killed'))
  const [claimed] = await claimTasks({ db, clock, owner: 'killed', leaseMs: 1000 }, 'mail')('', 1)
  assert.ok(claimed !== undefined)
  // Another node took it over, so what came of it is not recorded.
  await kindTo(server).run({ ...claimed, token: 0 }, () => {}, new AbortController().signal)
  // Nothing is recorded: the process is gone.
  now += 1000
  const deliveries = running(server, 'next')
  await until(async () => (await row('killed')).state === 'sent')
  await deliveries.stop()
  const ids = server.received.map(({ headers }) => headers.get('message-id'))
  assert.equal(ids.length, 2)
  assert.equal(new Set(ids).size, 1)
})

test('no value can add a header, a recipient or markup', async () => {
  await using server = await smtpReceiver()
  const deliveries = running(server)
  const evil = 'Q1\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>\u202E'
  await sender.send(db, share('evil', evil))
  for (const to of [
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com, eve@example.com',
    'Eve <eve@example.com>',
    'ann@example.com>\r\nDATA',
    '',
  ])
    await sender.send(db, share(`to ${to}`, 'Q1', to))
  deliveries.poll()
  await until(async () => (await row('evil')).state === 'sent')
  await deliveries.stop()
  assert.equal(server.received.length, 1)
  const [received] = server.received
  assert.deepEqual(received?.to, ['ann@example.com'])
  assert.equal(received.headers.has('bcc'), false)
  assert.match(received.source, /&#60;script&#62;/)
  assert.doesNotMatch(received.source.split('text/html')[1] ?? '', /<script>/)
})

test('a mail that was queued before its recipient unsubscribed is not sent', async () => {
  await using server = await smtpReceiver()
  await sender.send(db, reminder('queued before'))
  const unsubscribed = {
    workspace_id: workspaceId,
    email: 'ann@example.com',
    unsubscribed_at: timestamp(now),
  }
  await db.insertInto('unsubscribes').values(unsubscribed).execute()
  await sender.send(db, reminder('for another', 'bob@example.com'))
  const deliveries = running(server)
  await deliveries.run()
  await deliveries.stop()
  assert.match((await row('queued before')).problem ?? '', /has unsubscribed/)
  assert.deepEqual(
    server.received.flatMap(({ to }) => to),
    ['bob@example.com'],
  )
})

test('every template is complete in every language, and says the boundary where it is about evidence', () => {
  for (const language of Object.keys(LANGUAGES) as Language[])
    for (const [key, boundary] of Object.entries(IS_ABOUT_EVIDENCE)) {
      const name = key as TemplateName
      const own = Object.entries(texts['en'] ?? {}).filter(([text]) => text.startsWith(`mail.${name}.`))
      const names = own.flatMap(([, text]) => text.match(/(?<=\{)\w+(?=\})/g) ?? [])
      const fields = ['link', ...names].map((field) => [field, `<${field}>`])
      const { subject, text, html } = renderMail(
        name,
        { link: '', ...Object.fromEntries(fields) },
        { language },
      )
      assert.doesNotMatch(subject + text + html, /[{}]|undefined/, `${language} ${name}`)
      assert.match(text, /<link>/)
      assert.match(text, /<workspace>/, `${language} ${name} says who sends it`)
      const { 'kit.boundary': says = '' } = { ...verifier['en'], ...verifier[language] }
      assert.equal(text.includes(says), boundary, name)
      assert.doesNotMatch(html, /<(link|workspace|title)>/)
    }
})

test('a mail is in the language of the workspace: sentences, phrases and dates, and not what people wrote', async () => {
  const data = {
    workspace: 'Acme',
    title: 'is overdue',
    when: phrase('mail.phrase.inDays', { days: 3 }),
    due: '2026-11-24T14:30:00.000Z',
    open: 'Item',
    link: '/r/x',
  }
  const english = renderMail('reminder', data, { unsubscribeUrl: 'https://kits.example/u/1' })
  assert.match(english.text, /is due in 3 days[^]*24 November 2026 at 14:30 UTC[^]*no more mail from Acme/)
  const german = renderMail('reminder', data, { language: 'de', unsubscribeUrl: 'https://kits.example/u/1' })
  assert.match(german.text, /24\. November 2026 um 14:30 UTC/)
  assert.match(german.html, /<html lang="de">/)
  assert.match(german.text, /https:\/\/kits\.example\/u\/1/)
  assert.doesNotMatch(german.text, /due in|more mail|evidence only/)
  assert.ok(german.text.includes('is overdue'), 'the title is not translated')
})

test('in development, mail is written to a folder', async () => {
  const path = join(folder, 'sent')
  const send = mailServer({ server: { is: 'folder', path }, from: FROM })
  const message = { from: FROM, to: 'ann@example.com', subject: 'Hello', text: 'text', html: '<p>text</p>' }
  const outcome = await send({
    ...message,
    messageId: '<dlv_a@issuer.example>',
    date: new Date(0),
    headers: {},
  })
  assert.deepEqual(outcome, { is: 'sent' })
  const [eml = '', html = ''] = readdirSync(path).toSorted()
  assert.equal(eml, '1970-01-01T000000.000Z-dlv_a.eml')
  assert.match(readFileSync(join(path, eml), 'utf8'), /^To: ann@example\.com\r$/m)
  assert.equal(readFileSync(join(path, html), 'utf8'), '<p>text</p>')
})
