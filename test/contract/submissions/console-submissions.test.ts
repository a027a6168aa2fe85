import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browser, ended, member } from '../../kit/console.ts'
import { zipOf } from '../../../examiner/test/evidence-samples.ts'
import { testService } from '../../kit/service.ts'
import { clientOf, form, workspaceClient } from '../../kit/workspace.ts'

const GOOD = 'name,role\nann,admin\n'
/** An executable is a blocker, whatever its name. */
const BAD = Buffer.from('MZ\u0090\u0000\u0003'.padEnd(200, '\u0000'), 'latin1')

async function submit(user: Browser, label: string, files: Record<string, string | Uint8Array>) {
  const created = await user.post('/v1/submissions', { label })
  assert.equal(created.status, 201, created.text)
  const id = String(created.json['submission_id'])
  const sent = await user.upload(id, form(files))
  assert.equal(sent.status, 202, sent.text)
  return { id, record: await ended(user, id) }
}

/** How many credits the ledger says were spent. */
async function captured(user: Browser): Promise<number> {
  const { data } = (await user.get('/v1/credits')).json as { data: readonly { kind: string }[] }
  return data.filter(({ kind }) => kind === 'capture').length
}

test('a resubmission keeps good files without uploading them again', async () => {
  await using service = await testService()
  const ann = await member(service, 'member', undefined, 'ann@acme.example')
  const archive = zipOf({ 'notes.txt': 'sound', 'tool.exe': BAD })
  const { id, record } = await submit(ann, 'Q3 review', {
    'review.csv': GOOD,
    'tool.txt': BAD,
    'more.zip': archive,
  })
  assert.equal(record['status'], 'FAIL')
  const blockers = record['blockers'] as readonly { path: string; remedy: string }[]
  assert.deepEqual(
    blockers.map(({ path }) => path),
    ['more.zip/tool.exe', 'tool.txt'],
  )
  assert.ok(blockers.every(({ remedy }) => remedy.length > 0))
  const timeline = async (of: string) =>
    (await ann.get(`/v1/audit?names=true&subject=${of}`)).json['data'] as readonly Record<string, unknown>[]
  assert.deepEqual(
    (await timeline(id)).map(({ action, actor, by }) => [action, actor, by]),
    [
      ['submission.failed', 'service', null],
      ['submission.sealed', 'member', 'ann@acme.example'],
      ['submission.created', 'member', 'ann@acme.example'],
    ],
  )
  assert.deepEqual((await timeline(id))[0]?.['submission'], { submission_id: id, label: 'Q3 review' })

  const again = await ann.post(`/v1/submissions/${id}/resubmit`, { keep: [0] }, { 'idempotency-key': 'once' })
  assert.equal(again.status, 201, again.text)
  const replay = await ann.post(
    `/v1/submissions/${id}/resubmit`,
    { keep: [0] },
    { 'idempotency-key': 'once' },
  )
  assert.equal(replay.text, again.text)
  const made = String(again.json['submission_id'])
  assert.equal(again.headers.get('location'), `/v1/submissions/${made}`)
  assert.equal((again.json['waiting'] as { reason: string }).reason, 'evidence')
  assert.deepEqual(again.json['evidence'], (record['evidence'] as readonly object[]).slice(0, 1))
  const sent = await ann.upload(made, form({ 'notes.txt': 'sound' }))
  assert.equal(sent.status, 202, sent.text)
  const passed = await ended(ann, made)
  assert.equal(passed['status'], 'PASS')
  assert.deepEqual(
    (passed['evidence'] as readonly { name: string }[]).map(({ name }) => name),
    ['review.csv', 'notes.txt'],
  )
  const [resubmitted] = await timeline(id)
  assert.deepEqual(
    [resubmitted?.['action'], resubmitted?.['details']],
    ['submission.resubmitted', { as: made }],
  )
  assert.equal(await captured(ann), 1)
})

test('a resubmission with only kept files can be sealed', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const { id } = await submit(ann, 'Q3', { 'review.csv': GOOD, 'tool.txt': BAD })
  const body = { keep: [0], label: 'Q3, corrected' }
  const made = String((await ann.post(`/v1/submissions/${id}/resubmit`, body)).json['submission_id'])
  await ann.upload(made, form({}, { final: true }))
  const record = await ended(ann, made)
  assert.deepEqual([record['status'], record['label']], ['PASS', 'Q3, corrected'])
})

test('only failed submissions and existing files can be resubmitted', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const passed = await submit(ann, 'Q3', { 'review.csv': GOOD })
  const wrong = await ann.post(`/v1/submissions/${passed.id}/resubmit`, { keep: [0] })
  assert.deepEqual([wrong.status, wrong.json['code']], [409, 'submission_not_failed'])
  const failed = await submit(ann, 'Q3', { 'tool.txt': BAD })
  const more = await ann.post(`/v1/submissions/${failed.id}/resubmit`, { keep: [7] })
  assert.deepEqual([more.status, more.json['code']], [400, 'body_invalid'])
})

test('a member deletes a draft, but nothing that was submitted', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const draft = String((await ann.post('/v1/submissions', { label: 'Never mind' })).json['submission_id'])
  await ann.upload(draft, form({ 'review.csv': GOOD }, { final: false }))
  for (let times = 0; times < 2; times++) {
    assert.equal((await ann.send('DELETE', `/v1/submissions/${draft}`)).status, 204)
    assert.equal((await ann.get(`/v1/submissions/${draft}`)).json['status'], 'EXPIRED')
  }
  const { id } = await submit(ann, 'Q3', { 'review.csv': GOOD })
  const sealed = await ann.send('DELETE', `/v1/submissions/${id}`)
  assert.deepEqual([sealed.status, sealed.json['code']], [403, 'role_insufficient'])
  assert.equal(await captured(ann), 1)
})

test('a key deletes a draft with the scope submit or admin, and anything else with admin', async () => {
  await using service = await testService()
  const ann = await member(service)
  const withScope = async (scope: string) => {
    const { json } = await ann.post('/v1/keys', { label: scope, scopes: [scope] })
    return { 'x-api-key': String(json['api_key']) }
  }
  const [submitter, admin] = [await withScope('submit'), await withScope('admin')]
  for (const headers of [submitter, admin]) {
    const draft = String((await ann.post('/v1/submissions', { label: 'Draft' })).json['submission_id'])
    const deleted = await ann.send('DELETE', `/v1/submissions/${draft}`, undefined, headers)
    assert.equal(deleted.status, 204, deleted.text)
    assert.equal((await ann.get(`/v1/submissions/${draft}`)).json['status'], 'EXPIRED')
  }
  const { id } = await submit(ann, 'Q3', { 'review.csv': GOOD })
  const refused = await ann.send('DELETE', `/v1/submissions/${id}`, undefined, submitter)
  assert.deepEqual([refused.status, refused.json['code']], [403, 'scope_missing'])
  assert.equal((await ann.send('DELETE', `/v1/submissions/${id}`, undefined, admin)).status, 204)
})

test('submissions are searched by label, ID and status, with pages', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const passed = await submit(ann, 'Access review, 100% done_', { 'review.csv': GOOD })
  const failed = await submit(ann, 'Vendor review', { 'tool.txt': BAD })
  const draft = String(
    (await ann.post('/v1/submissions', { label: 'Überprüfung, Draft' })).json['submission_id'],
  )
  const find = async (query: string): Promise<readonly string[]> => {
    const { status, json, text } = await ann.get(`/v1/submissions?${query}`)
    assert.equal(status, 200, text)
    return (json['data'] as readonly { submission_id: string }[]).map((each) => each.submission_id)
  }
  assert.deepEqual(await find(''), [draft, failed.id, passed.id])
  assert.deepEqual(await find('q=REVIEW'), [failed.id, passed.id])
  assert.deepEqual(await find(`q=${encodeURIComponent('100%')}`), [passed.id])
  assert.deepEqual(await find(`q=${encodeURIComponent('%')}`), [passed.id], '% is a plain character')
  assert.deepEqual(await find(`q=${encodeURIComponent('e_')}`), [passed.id])
  assert.deepEqual(await find(`q=${encodeURIComponent('Über')}`), [draft])
  assert.deepEqual(await find('q=dRaFt'), [draft])
  assert.deepEqual(await find(`q=${failed.id}`), [failed.id])
  assert.deepEqual(await find(`q=${String(passed.record['kit_id'])}`), [passed.id])
  assert.deepEqual(await find(`q=${String(passed.record['job_id'])}`), [passed.id])
  assert.deepEqual(await find('status=PASS'), [passed.id])
  assert.deepEqual(await find('status=FAIL'), [failed.id])
  assert.deepEqual(await find('status=PENDING'), [draft])
  assert.deepEqual(await find('status=RUNNING'), [])
  assert.deepEqual(await find(`label=${encodeURIComponent('Vendor review')}&status=FAIL`), [failed.id])
  const first = await ann.get('/v1/submissions?limit=2')
  const second = await ann.get(`/v1/submissions?limit=2&cursor=${String(first.json['next_cursor'])}`)
  assert.deepEqual(
    (second.json['data'] as readonly { submission_id: string }[]).map((each) => each.submission_id),
    [passed.id],
  )
  assert.equal(second.json['next_cursor'], null)
  const [row] = (await ann.get('/v1/submissions?status=PASS')).json['data'] as readonly Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    ['file_count', 'size_bytes', 'waiting', 'blocker_count', 'created_by'].map((name) => row?.[name]),
    [1, GOOD.length, null, 0, 'member@acme.example'],
  )
  assert.equal((await ann.get('/v1/submissions?status=LOST')).json['code'], 'query_invalid')
  assert.equal((await ann.get('/v1/submissions?limit=0')).status, 400)
})

test('a kit lists its files, shows its binder and can be downloaded', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const { id, record } = await submit(ann, 'Q3', { 'review.csv': GOOD })
  const kit = (await ann.get(`/v1/kits/${String(record['kit_id'])}`)).json as {
    files: readonly { path: string; kind: string }[]
    label: string
    manifest_root_hash: string
    log: { index: number; size: number }
  }
  assert.equal(kit.label, 'Q3')
  assert.deepEqual([kit.log.index, kit.log.size], [1, 2])
  const proof = await ann.get(`/v1/kits/${String(record['kit_id'])}/log-proof`)
  assert.equal(proof.status, 200)
  assert.match(kit.manifest_root_hash, /^[0-9a-f]{64}$/)
  const kindOf = new Map(kit.files.map(({ path, kind }) => [path, kind]))
  for (const [path, kind] of [
    ['data/review.csv', 'evidence'],
    ['binder.pdf', 'binder'],
    ['VERIFY.md', 'guide'],
    ['START-HERE.html', 'verifier'],
    ['receipt.json', 'envelope'],
    ['bagit.txt', 'bag'],
    ['reports/intake_report.json', 'report'],
  ])
    assert.equal(kindOf.get(path ?? ''), kind, path)
  const binder = await ann.get(`/v1/submissions/${id}/deliverables/binder.pdf`)
  assert.match(binder.text, /^%PDF/)
  assert.equal(binder.headers.get('content-disposition'), 'inline; filename="binder.pdf"')
  assert.match(binder.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
  assert.equal(binder.headers.get('cache-control'), 'private, no-store')
  const zip = await ann.get(`/v1/submissions/${id}/deliverables/kit.zip`)
  assert.deepEqual([zip.status, zip.headers.get('content-type')], [200, 'application/zip'])
  assert.equal(zip.headers.get('cache-control'), 'private, no-store', 'responses to members are not cached')
})

test('single files of a kit are sent as inert attachments, with ranges, and only to members', async () => {
  await using service = await testService()
  const ann = await member(service, 'viewer')
  const sender = await member(service, 'member')
  const { record } = await submit(sender, 'Q3', {
    'review.csv': GOOD,
    'Größe "x".html': '<script>1</script>',
  })
  const files = `/v1/kits/${String(record['kit_id'])}/files`
  const whole = await ann.get(`${files}/data/review.csv`)
  assert.deepEqual([whole.status, whole.text], [200, GOOD])
  const page = await ann.get(`${files}/data/${encodeURIComponent('Größe "x".html')}`)
  assert.deepEqual(
    ['content-type', 'content-disposition', 'x-content-type-options'].map((name) => page.headers.get(name)),
    [
      'application/octet-stream',
      `attachment; filename="Gr__e _x_.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.html`,
      'nosniff',
    ],
  )
  const part = await ann.get(`${files}/data/review.csv`, { range: 'bytes=5-8' })
  assert.deepEqual([part.status, part.text], [206, GOOD.slice(5, 9)])
  assert.equal((await ann.get(`${files}/data/other.csv`)).json['code'], 'deliverable_not_found')
  assert.equal((await ann.get(`${files}/data/../review.csv`)).status, 404)
  const { workspaceId } = await workspaceClient(service)
  const stranger = await member(service, 'owner', workspaceId, 'else@other.example')
  assert.equal((await stranger.get(`${files}/data/review.csv`)).json['code'], 'kit_not_found')
})

test('comparing two kits lists added, removed, changed and moved files', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const older = await submit(ann, 'Review', {
    'a.csv': GOOD,
    'b.txt': 'first',
    'c.txt': 'stays',
    'd.txt': 'moves',
  })
  const newer = await submit(ann, 'Review', {
    'a.csv': GOOD,
    'b.txt': 'second',
    'e.txt': 'moves',
    'f.txt': 'new',
  })
  const other = await submit(ann, 'Another', { 'a.csv': GOOD })
  const [from, to, else_] = [older, newer, other].map(({ record }) => String(record['kit_id']))
  const { json } = await ann.get(`/v1/compare?from=${from}&to=${to}`)
  const paths = (name: string): readonly string[] =>
    (json[name] as readonly { path: string }[]).map(({ path }) => path)
  assert.deepEqual(
    [paths('added'), paths('removed'), paths('changed')],
    [['data/f.txt'], ['data/c.txt'], ['data/b.txt']],
  )
  assert.deepEqual(
    (json['moved'] as readonly { from: string; to: string }[]).map((each) => [each.from, each.to]),
    [['data/d.txt', 'data/e.txt']],
  )
  assert.equal(json['unchanged'], 1)
  const others = (await ann.get(`/v1/compare?from=${from}&to=${else_}`)).json as Record<'from' | 'to', object>
  assert.deepEqual(
    [others.from, others.to].map((side) => (side as { label: string }).label),
    ['Review', 'Another'],
  )
})

test('API keys are shown once, rotated with a grace period, and revoked at once', async () => {
  await using service = await testService()
  const ann = await member(service)
  const made = await ann.post('/v1/keys', { label: 'ci', expires_days: 30 })
  assert.equal(made.status, 201, made.text)
  const { key, api_key } = made.json as { key: { key_id: string; status: string }; api_key: string }
  assert.equal(key.status, 'ending')
  const works = async (text: string) => (await clientOf(service, '', text).get('/v1/credits')).status
  assert.equal(await works(api_key), 200)
  const rotated = await ann.post(`/v1/keys/${key.key_id}/rotate`, { grace_hours: 0 })
  assert.equal(rotated.status, 201, rotated.text)
  assert.deepEqual([await works(api_key), await works(String(rotated.json['api_key']))], [401, 200])
  const next = (rotated.json['key'] as { key_id: string }).key_id
  assert.equal((await ann.send('DELETE', `/v1/keys/${next}`)).status, 204)
  assert.equal(await works(String(rotated.json['api_key'])), 401)
  assert.equal((await ann.send('DELETE', `/v1/keys/${next}`)).json['code'], 'key_not_found')
  const list = await ann.get('/v1/keys')
  for (const secret of [api_key, String(rotated.json['api_key'])]) assert.ok(!list.text.includes(secret))
  assert.deepEqual(
    (list.json['data'] as readonly { status: string }[]).map(({ status }) => status),
    ['revoked', 'expired', 'active'],
  )
})
