import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { transact } from '../database/transact.ts'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { openStore } from '../open-store.ts'
import { remindSuppliers } from './request-mail.ts'
import { member } from '../../test/console-client.ts'
import { supplierClient } from '../../test/supplier-client.ts'
import { testService } from '../../test/test-service.ts'
import { until } from '../../test/until.ts'
import { workspaceClient } from '../../test/workspace-client.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('the supplier is mailed the request, reminders and the review; the link in a mail works; the requester is mailed what was submitted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-mail-'))
  let nowMs = Date.now()
  const clock = { now: () => nowMs }
  const settings = { KITSEAL_SMTP_URL: `file:${folder}`, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  await using service = await testService(settings, clock)
  const acme = await workspaceClient(service)
  await member(service, 'owner', acme.workspaceId, 'boss@acme.example')
  await using store = await openStore(service.config, { clock })
  const sent = async (): Promise<readonly string[]> => {
    const rows = await store.db.selectFrom('deliveries').select('dedupe').orderBy('created_at').execute()
    const aboutRequests = rows.filter(({ dedupe }) => !dedupe.startsWith('inv_'))
    return aboutRequests.map(({ dedupe }) => dedupe.replace(/evr_[\w-]+/, 'ID').replace(/\d{4}-\S+Z/, 'NOW'))
  }
  const remind = async (): Promise<void> => {
    const ctx = { db: store.db, clock, identifiers: randomIdentifiers(), mail: store.mail }
    await remindSuppliers(ctx, (work) => transact(store.db, work))
  }

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
  assert.deepEqual(await sent(), ['request ID ann@supplier.example'])
  const mails = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, ''))
      .join('\n')
  const LINK = /http:\/\/\S+\/r\/[\w-]{43}/
  await until(() => LINK.test(mails()))
  const link = LINK.exec(mails())?.[0] ?? ''
  assert.equal((await supplierClient(service, link).show()).json['title'], 'Access review')

  await remind()
  nowMs += 3.5 * DAY_MS
  await Promise.all([remind(), remind()])
  await remind()
  assert.deepEqual((await sent()).slice(1), ['reminder ID 7d ann@supplier.example'])
  nowMs += 6 * DAY_MS
  await remind()
  nowMs += 1.2 * DAY_MS
  await remind()
  assert.deepEqual((await sent()).slice(2), [
    'reminder ID 1d ann@supplier.example',
    'reminder ID 0d ann@supplier.example',
  ])
  await acme.post(`${path}/remind`, {})
  await acme.post(`${path}/items/A`, { status: 'needs_changes' })
  const reason = 'We have none.'
  await acme.post(`${path}/items/A`, { status: 'not_applicable', reason })
  await acme.post(`${path}/items/B`, { status: 'not_applicable', reason })
  nowMs += 5 * DAY_MS
  await remind()
  assert.deepEqual((await sent()).slice(4), [
    'reminder ID NOW ann@supplier.example',
    'review ID 0 needs changes ann@supplier.example',
    'review ID 0 accepted ann@supplier.example',
  ])

  const before = (await sent()).length
  const asked = await acme.post('/v1/requests', { title: 'Plans', items: [{ id: 'A', title: 'Plan' }] })
  const supplier = supplierClient(service, (asked.json['link'] as { readonly url: string }).url)
  const failing = await supplier.draft()
  await supplier.upload(failing, { 'A/tool.txt': `MZ${'\0'.repeat(300)}` })
  assert.equal(await supplier.submit(failing), 'FAIL')
  const draft = await supplier.draft()
  await supplier.call('/files/0', { method: 'DELETE' })
  await supplier.upload(draft, { 'A/plan.txt': 'the plan' })
  assert.equal(await supplier.submit(draft), 'PASS')
  await until(() => mails().includes('Plans: submitted by the supplier'))
  // A failed round is corrected by the supplier, and is no news for the requester.
  assert.deepEqual((await sent()).slice(before), [`submitted ${draft} boss@acme.example`])
  rmSync(folder, { recursive: true })
})
