import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { evidenceQuery, overviewQueries } from './overview.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { openStore } from '../open-store.ts'
import { ended, member } from '../../../test/kit/console.ts'
import { smtpReceiver } from '../../../test/kit/mail.ts'
import { supplierClient } from '../../../test/kit/supplier.ts'
import { testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'

interface Waiting {
  readonly what: string
  readonly id: string | null
  readonly submission_id: string | null
  readonly title: string
  readonly count: number | null
  readonly reason: string | null
}

interface Overview {
  readonly is_empty: boolean
  readonly waiting: readonly Waiting[]
  readonly has_more: boolean
}

const inDays = (days: number): string => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString()
const ITEMS = [
  { id: 'a', title: 'A' },
  { id: 'b', title: 'B' },
]

test('the overview lists everything that waits for a person', async () => {
  await using server = await smtpReceiver((_message, to) =>
    to.includes('wrong@supplier.example') ? 550 : undefined,
  )
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  await using service = await testService(settings)
  const acme = await workspaceClient(service)
  const ann = await member(service, 'owner', acme.workspaceId)
  const viewer = await member(service, 'viewer', acme.workspaceId)
  const overview = async (user = ann): Promise<Overview> =>
    (await user.get('/v1/overview')).json as unknown as Overview
  const rows = async (user = ann): Promise<readonly string[]> =>
    (await overview(user)).waiting.map(({ what, title, count }) => `${what} ${title} ${count ?? ''}`.trim())
  assert.deepEqual([(await overview()).is_empty, await rows()], [true, []])

  const submit = async (label: string, files: Record<string, string>, fields = {}) => {
    const id = String((await ann.post('/v1/submissions', { label })).json['submission_id'])
    await ann.upload(id, form(files, fields))
    return id
  }
  const failed = await submit('Broken', { 'a.txt': 'so it was\n', 'b.pdf': '' })
  const passed = await ended(ann, await submit('Sound', { 'a.txt': 'so it was\n' }))
  await ended(ann, failed)
  await submit('Unfinished', { 'a.txt': 'x' }, { final: false })
  await ann.post('/v1/submissions', { label: 'Empty draft' })
  for (const [days, note] of [
    [3, 'soon'],
    [30, 'later'],
  ] as const) {
    const body = { kit_id: passed['kit_id'], expires_at: inDays(days), note }
    assert.equal((await ann.post('/v1/shares', body)).status, 201)
    assert.equal((await ann.post('/v1/keys', { label: note, expires_days: days })).status, 201)
    assert.equal(
      (await ann.post('/v1/requests', { title: note, due_at: inDays(days), items: ITEMS })).status,
      201,
    )
  }
  await ann.post('/v1/requests', { title: 'Late', items: [{ ...ITEMS[0], due_at: '2026-01-01' }] })
  const all = ['failed Broken', 'overdue Late', 'due soon', 'draft Unfinished', 'share Sound', 'key soon']
  assert.deepEqual(await rows(), all)
  assert.deepEqual(await rows(viewer), all.slice(0, -1), 'viewers do not manage keys')

  const asked = await ann.post('/v1/requests', { title: 'Answered', due_at: '2026-01-01', items: ITEMS })
  const path = `/v1/requests/${String(asked.json['evidence_request_id'])}`
  const supplier = supplierClient(service, (asked.json['link'] as { readonly url: string }).url)
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'a/a.txt': 'a', 'b/b.txt': 'b' })
  assert.ok((await rows()).includes('overdue Answered'), 'the draft of a supplier is not ours')
  await supplier.submit(draft)
  const review = (await overview()).waiting.find(({ what }) => what === 'review')
  assert.deepEqual([review?.title, review?.count, review?.submission_id], ['Answered', 2, draft])
  assert.ok(!(await rows()).includes('overdue Answered'))
  await ann.post(`${path}/items/a`, { status: 'needs_changes' })
  assert.ok((await rows()).includes('overdue Answered'), 'it waits for the supplier again')
  const undated = await ann.post('/v1/requests', { title: 'Undated', items: ITEMS })
  const of = `/v1/requests/${String(undated.json['evidence_request_id'])}`
  await ann.post(`${of}/items/a`, { status: 'needs_changes' })
  assert.ok((await rows()).includes('sent_back Undated 1'))
  const partly = await ann.post('/v1/requests', { title: 'Partly', items: ITEMS })
  const half = supplierClient(service, (partly.json['link'] as { readonly url: string }).url)
  const halfDraft = await half.draft()
  await half.upload(halfDraft, { 'a/a.txt': 'a' })
  await half.submit(halfDraft)
  assert.ok((await rows()).includes('review Partly 1'))
  await ann.post(`/v1/requests/${String(partly.json['evidence_request_id'])}/accept`, {})
  assert.ok((await rows()).includes('unanswered Partly 1'), 'an item without files still waits')

  await ann.post(`${path}/accept`, {})
  await ann.post(`${path}/items/a`, { status: 'accepted' })
  assert.ok(!(await rows()).some((row) => row.includes('Answered')), 'nothing waits for anyone')
  await ann.post(`${path}/items/a`, { status: 'to_review' })
  assert.ok((await rows()).includes('review Answered 1'), 'a review that is taken back waits again')

  await ann.post('/v1/requests', { title: 'Mailed', items: ITEMS, recipients: ['wrong@supplier.example'] })
  await until(async () => (await rows()).includes('mail wrong@supplier.example'))
  const mail = (await overview()).waiting.find(({ what, title }) => what === 'mail' && title !== '')
  assert.match(mail?.id ?? '', /^evr_/)
  assert.match(mail?.reason ?? '', /550/)

  const again = await ann.post(`/v1/submissions/${failed}/resubmit`, { keep: [0] })
  assert.equal(again.status, 201, again.text)
  assert.ok(!(await rows()).includes('failed Broken'), 'a resubmitted failure needs no attention')
  assert.equal((await overview()).has_more, false)
  for (let index = 0; index < 20; index++) await submit(`Draft ${index}`, { 'a.txt': 'x' }, { final: false })
  assert.equal((await overview()).has_more, true)
})

test('every query of the overview reads an index', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const workspaceId = 'ws_acme' as WorkspaceId
  const evidence = evidenceQuery(Date.now(), workspaceId, 365)
  const queries = { ...overviewQueries(Date.now(), workspaceId), evidence }
  for (const [name, query] of Object.entries(queries)) {
    const { sql: text, parameters } = query.compile(store.db)
    const bound = parameters.reduce<string>((all, value) => all.replace('?', `'${String(value)}'`), text)
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${bound}`).execute(store.db)
    const plan = rows.map(({ detail }) => detail).join('\n')
    assert.match(plan, /SEARCH/, name)
    assert.doesNotMatch(plan, /SCAN (?!ending)/, `${name}: ${plan}`)
  }
})
