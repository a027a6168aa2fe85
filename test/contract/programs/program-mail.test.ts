import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { member } from '../../kit/console.ts'
import { smtpReceiver } from '../../kit/mail.ts'
import { testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('owners are mailed what is theirs, once, and reminded before it is due; those without items are not', async () => {
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
  for (const name of ['ann', 'ben', 'carl'])
    await member(service, 'owner', acme.workspaceId, `${name}@acme.example`)
  const mails = (): readonly string[] =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, ''))
  const to = (name: string): readonly string[] =>
    mails().filter((text) => text.includes(`To: ${name}@acme.example`) && text.includes('Yearly'))
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const items = [
    { item_id: 'A1', title: 'Accounts', owner: 'ann@acme.example', due_days: 8 },
    { item_id: 'A2', title: 'Approvals', owner: 'ann@acme.example', due_days: 20 },
    { item_id: 'B1', title: 'Backups', owner: 'ben@acme.example', due_days: 20 },
  ]
  const body = { name: 'Yearly', cadence: 'yearly', starts_on: today, items, message: 'Please.' }
  const many = Array.from({ length: 101 }, (_, index) => ({
    item_id: `M${index}`,
    title: 'One of many',
    owner: 'carl@acme.example',
    due_days: 8,
  }))
  await acme.post('/v1/programs', { ...body, name: 'Large', items: many })
  const { json } = await acme.post('/v1/programs', body)
  await until(() => to('ann').length === 1 && to('ben').length === 1)
  const [mail = ''] = to('ann')
  assert.match(mail, /Your items: A1 Accounts, A2 Approvals\./)
  assert.match(mail, /Please\./)
  assert.match(mail, new RegExp(`/console/programs/${String(json['program_id'])}/`))
  assert.doesNotMatch(mail, /Backups/)

  await service.service.runDue()
  nowMs += 2 * DAY_MS
  await Promise.all([service.service.runDue(), service.service.runDue()])
  await until(() => to('ann').length === 2)
  assert.match(to('ann').find((text) => /is due in/.test(text)) ?? '', /Your items: A1 Accounts\./)
  assert.equal(to('ben').length, 1)
  assert.equal(to('carl').length, 0)
})

test('a supplier whose request is closed, because its period was sealed, is told so', async () => {
  await using mails = await smtpReceiver()
  const settings = { KITSEAL_SMTP_URL: mails.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  await using service = await testService(settings)
  const acme = await workspaceClient(service)
  const items = [
    { item_id: 'A1', title: 'Accounts', due_days: 8 },
    { item_id: 'C1', title: 'Certificate', source: 'request', recipients: ['bob@supplier.example'] },
  ]
  const today = new Date().toISOString().slice(0, 10)
  const body = { name: 'Vendors', cadence: 'none', starts_on: today, items }
  const program = `/v1/programs/${String((await acme.post('/v1/programs', body)).json['program_id'])}`
  const { json: period } = await acme.get(`${program}/periods/1`)
  await acme.upload(
    String(period['submission_id']),
    form({ 'A1/users.csv': 'name\nada\n' }, { final: false }),
  )
  assert.equal((await acme.post(`${program}/periods/1/seal`, {})).status, 202)
  await until(() => subjects().length === 1)
  assert.match(subjects()[0] ?? '', /^Vendors 1: closed, because period 1 was sealed/)

  function subjects(): readonly string[] {
    return mails.received
      .filter(({ to }) => to.includes('bob@supplier.example'))
      .map(({ headers }) => headers.get('subject') ?? '')
      .filter((subject) => subject.includes('closed'))
  }
})
