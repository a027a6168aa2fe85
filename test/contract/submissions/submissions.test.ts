// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseJwks, parseStrictJson, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService({}, 'work in a thread')
  acme = await workspaceClient(service, { credits: 50 })
})
after(() => service[Symbol.asyncDispose]())

const RECORD = [
  'submission_id',
  'label',
  'status',
  'waiting',
  'job_id',
  'kit_id',
  'profile',
  'series',
  'external_id',
  'tags',
  'metadata',
  'created_at',
  'updated_at',
  'evidence',
  'accept',
  'provenance',
  'blockers',
  'findings',
  'credits_charged',
  'deliverables',
  'key_revoked_at',
  'hold',
  'erasure',
  'replaces',
  'replaced_by',
  'boundary',
]

test('a submission becomes a kit that verifies offline, with matching deliverables', async () => {
  const created = await acme.post('/v1/submissions', { label: 'Q3 access review' })
  assert.equal(created.status, 201)
  assert.deepEqual(Object.keys(created.json), RECORD)
  const id = String(created.json['submission_id'])
  assert.equal(created.headers.get('location'), `/v1/submissions/${id}`)
  assert.deepEqual([created.json['status'], created.json['profile']], ['PENDING', 'default'])

  const uploaded = await acme.upload(id, form({ 'users.csv': 'name,role\nada,admin\n' }))
  assert.equal(uploaded.status, 202, uploaded.bytes.toString())
  const record = await acme.ended(id)
  assert.equal(record['status'], 'PASS', JSON.stringify(record['blockers']))
  assert.equal(record['credits_charged'], 1)
  const sha256 = createHash('sha256').update('name,role\nada,admin\n').digest('hex')
  assert.deepEqual(record['evidence'], [
    { name: 'users.csv', sha256, size_bytes: 20, media_type: 'text/csv' },
  ])

  const list = (await acme.get(`/v1/submissions/${id}/deliverables`)).json
  const names = (list['data'] as { name: string }[]).map(({ name }) => name)
  for (const name of ['kit.zip', 'manifest.json', 'receipt.json', 'receipt.sig', 'binder.pdf', 'VERIFY.md'])
    assert.ok(names.includes(name), name)
  assert.deepEqual(names, Object.keys(record['deliverables'] as object))
  for (const { name, path, size_bytes, sha256: hash } of list['data'] as Deliverable[]) {
    const file = await acme.get(path)
    assert.equal(file.status, 200, name)
    assert.equal(file.bytes.length, size_bytes, name)
    assert.equal(createHash('sha256').update(file.bytes).digest('hex'), hash, name)
  }
  const kit = (await acme.get(`/v1/submissions/${id}/deliverables/kit.zip`)).bytes
  assert.equal(await verdict(kit), 'PASS')

  const job = (await service.call(`/v1/intake/jobs/${String(record['job_id'])}`)).json
  assert.deepEqual([job['status'], job['kit_id']], ['ISSUED', record['kit_id']])
  assert.equal(job['tenant_id'], acme.workspaceId)
  const shown = await acme.get(`/v1/kits/${String(record['kit_id'])}/download`)
  assert.deepEqual(shown.bytes, kit, 'the route by kit ID serves the same kit')
})

interface Deliverable {
  readonly name: string
  readonly path: string
  readonly size_bytes: number
  readonly sha256: string | null
}

test('a failed submission lists every blocker and costs no credit', async () => {
  const credits = await acme.credits()
  const id = await acme.submission({ label: 'full of blockers' })
  const files = { 'run.exe': 'MZ\0\0', 'empty.pdf': '', 'cut.pdf': '%PDF-1.4', 'go.sh': '#!/bin/sh' }
  assert.equal((await acme.upload(id, form(files))).status, 202)
  const record = await acme.ended(id)
  assert.equal(record['status'], 'FAIL')
  const blockers = record['blockers'] as { path: string; remedy: string }[]
  assert.deepEqual(
    blockers.map(({ path }) => path),
    ['cut.pdf', 'empty.pdf', 'run.exe'],
  )
  const findings = record['findings'] as { code: string; class: string; acknowledged: boolean }[]
  assert.deepEqual(
    findings.map((one) => `${one.class} ${one.code} ${one.acknowledged}`),
    [
      'damage malformed_pdf false',
      'damage empty_file false',
      'danger executable_content false',
      'notice script_content false',
    ],
  )
  assert.deepEqual([record['credits_charged'], record['kit_id']], [0, null])
  assert.deepEqual(await acme.credits(), credits)

  const path = `/v1/submissions/${id}/deliverables/fail_report.json`
  assert.deepEqual(record['deliverables'], { 'fail_report.json': path })
  const report = (await acme.get(path)).json
  assert.deepEqual(report['blockers'], blockers)
  assert.equal((await acme.get(`/v1/submissions/${id}/deliverables/kit.zip`)).status, 404)
  assert.equal((await acme.upload(id, form({ 'a.txt': 'again' }))).status, 409)
  const job = (await service.call(`/v1/intake/jobs/${String(record['job_id'])}`)).json
  assert.equal(job['status'], 'FAIL')
})

test('with findings=summary, equal findings are one entry with a count and the first files, and blockers stay as they are', async () => {
  const empty = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}.txt`, '']))
  const id = await acme.submission({ label: 'many equal findings' })
  await acme.upload(id, form({ ...empty, 'a.pdf': '%PDF-1.4', 'b.pdf': '%PDF-1.4' }))
  const record = await acme.ended(id)
  const { json } = await acme.get(`/v1/submissions/${id}?findings=summary`)
  const summary = json['findings'] as Record<string, unknown>[]
  assert.deepEqual(
    summary.map((one) => [one['class'], one['code'], one['path'], one['count'], one['paths']]),
    [
      ['damage', 'malformed_pdf', 'a.pdf', 2, ['a.pdf', 'b.pdf']],
      ['notice', 'empty_text', '0.txt', 7, ['0.txt', '1.txt', '2.txt', '3.txt', '4.txt']],
    ],
  )
  assert.deepEqual({ ...json, findings: record['findings'] }, record, 'nothing else changes')
  assert.deepEqual((await acme.get(`/v1/submissions/${id}?findings=all`)).json, record)
  assert.equal((await acme.get(`/v1/submissions/${id}?findings=some`)).status, 400)
})

test('acknowledged damage passes, and the kit, its binder and the record say so', async () => {
  const files = { 'cut.pdf': '%PDF-1.4', 'empty.png': '' }
  const id = await acme.submission({ label: 'damaged', accept: ['malformed_pdf'] })
  const sent = await acme.upload(id, form(files, { accept: 'empty_file' }))
  assert.deepEqual(sent.json['accept'], ['empty_file', 'malformed_pdf'])
  const record = await acme.ended(id)
  assert.deepEqual([record['status'], record['blockers']], ['PASS', []], JSON.stringify(record))
  const findings = record['findings'] as { code: string; acknowledged: boolean }[]
  assert.deepEqual(
    findings.map(({ code, acknowledged }) => [code, acknowledged]),
    [
      ['malformed_pdf', true],
      ['empty_file', true],
    ],
  )
  const reportPath = (record['deliverables'] as Record<string, string>)['reports/intake_report.json'] ?? ''
  const report = (await acme.get(reportPath)).json
  assert.deepEqual([report['accept'], report['findings']], [record['accept'], findings])
})

test('a possible secret stops a submission until it is named in accept, and its value is nowhere but in the file', async () => {
  const secret = `AK${'IA'}QXZ5J3N7WK2VB4TR`
  const files = form({ 'notes.txt': 'fine', 'aws.env': `REGION=eu\nKEY=${secret}\n` })
  const stopped = await acme.submission({ label: 'with a secret' })
  await acme.upload(stopped, files)
  const failed = await acme.ended(stopped)
  const { code, path, message } = (failed['blockers'] as Record<string, string>[])[0] ?? {}
  assert.deepEqual(
    [failed['status'], code, path, message],
    ['FAIL', 'possible_secret', 'aws.env', 'The file may contain a secret. Line 2: AWS access key ID AKIA…'],
  )

  const id = await acme.submission({ label: 'with a secret', accept: ['possible_secret'] })
  await acme.upload(id, files)
  const record = await acme.ended(id)
  const [finding] = record['findings'] as Record<string, unknown>[]
  assert.deepEqual(
    [record['status'], finding?.['class'], finding?.['acknowledged']],
    ['PASS', 'secret', true],
    JSON.stringify(record),
  )
  const deliverables = record['deliverables'] as Record<string, string>
  const { bytes: report } = await acme.get(deliverables['reports/intake_report.json'] ?? '')
  const texts = [JSON.stringify(failed), JSON.stringify(record), report.toString(), service.log()]
  for (const text of texts) assert.ok(!text.includes(secret.slice(6)), text)
})

test('a danger cannot be accepted, neither when the submission is created nor with the upload', async () => {
  const created = await acme.post('/v1/submissions', { label: 'a', accept: ['test_virus', 'nonsense'] })
  assert.equal(created.status, 400)
  assert.match(String(created.json['message']), /test_virus is a danger and cannot be accepted/)
  assert.match(String(created.json['message']), /"nonsense" is not a finding code/)
  const id = await acme.submission()
  const sent = await acme.upload(id, form({ 'a.txt': 'a' }, { accept: 'test_virus' }))
  assert.deepEqual([sent.status, sent.json['code']], [400, 'evidence_invalid'])
  assert.match(String(sent.json['message']), /test_virus is a danger and cannot be accepted/)
})

test('several uploads with final=false form one submission', async () => {
  const id = await acme.submission()
  const first = await acme.upload(id, form({ 'one.txt': 'one' }, { final: 'false' }))
  assert.deepEqual([first.status, first.json['status']], [202, 'PENDING'])
  await acme.upload(id, form({ 'two.txt': 'two' }, { final: 'false' }))
  const last = await acme.upload(id, form({}, { final: 'true' }))
  assert.equal(last.status, 202)
  const record = await acme.ended(id)
  assert.equal(record['status'], 'PASS')
  assert.deepEqual(namesOf(record), ['one.txt', 'two.txt'])
})

test('file names in any script are kept unchanged', async () => {
  const id = await acme.submission()
  const files = {
    'Prüfbericht.txt': 'a',
    '監査報告.txt': 'b',
    'отчёт.txt': 'c',
    'a "quoted" name.txt': 'd',
    '😀.txt': 'e',
  }
  await acme.upload(id, form(files))
  const record = await acme.ended(id)
  assert.deepEqual(namesOf(record), Object.keys(files))
})

test('a draft can be bound once, by its own workspace', async () => {
  const draft = { tenant_id: acme.workspaceId, scope_label: 'scope of the draft', status: 'DRAFT' }
  const job = (await acme.post('/v1/intake/jobs', draft)).json['job_id']
  const id = await acme.submission({ job_id: job })
  const again = await acme.post('/v1/submissions', { label: 'again', job_id: job })
  assert.deepEqual([again.status, again.json['code']], [409, 'job_not_bindable'])
  await acme.upload(id, form({ 'a.txt': 'a' }))
  const record = await acme.ended(id)
  assert.deepEqual([record['status'], record['job_id']], ['PASS', job])
  const receipt = (await service.call(`/v1/kits/${String(record['kit_id'])}/receipt`)).json
  assert.equal(receipt['scope'], 'scope of the draft')

  const other = await workspaceClient(service)
  const theirs = { ...draft, tenant_id: other.workspaceId }
  const foreign = (await other.post('/v1/intake/jobs', theirs)).json['job_id']
  for (const job_id of [foreign, 'job_nothing']) {
    const response = await acme.post('/v1/submissions', { label: 'x', job_id })
    assert.deepEqual([response.status, response.json['code']], [404, 'job_not_found'])
  }
  const issued = (await service.issue({ ...draft, status: 'SUBMITTED' })).jobId
  const late = await acme.post('/v1/submissions', { label: 'x', job_id: issued })
  assert.deepEqual([late.status, late.json['code']], [409, 'job_not_bindable'])
})

test('missing evidence of a profile is a blocker, and an unknown profile is 400', async () => {
  const id = await acme.submission({ profile: 'access-review' })
  await acme.upload(id, form({ 'notes.txt': 'nothing of it' }))
  const record = await acme.ended(id)
  assert.deepEqual([record['status'], record['profile']], ['FAIL', 'access-review'])
  const codes = (record['blockers'] as { code: string }[]).map(({ code }) => code)
  assert.ok(codes.includes('profile_item_missing'))
  const unknown = await acme.post('/v1/submissions', { label: 'x', profile: 'no-such' })
  assert.deepEqual([unknown.status, unknown.json['code']], [400, 'body_invalid'])
})

test('one Idempotency-Key creates one submission, and another body is 409', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await acme.post('/v1/submissions', { label: 'once' }, headers)
  const second = await acme.post('/v1/submissions', { label: 'once' }, headers)
  assert.deepEqual(second.bytes, first.bytes)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  const other = await acme.post('/v1/submissions', { label: 'other' }, headers)
  assert.deepEqual([other.status, other.json['code']], [409, 'idempotency_key_reused'])
})

test('every problem of a request is listed', async () => {
  const body = { job_id: 7, profile: [], extra: true }
  const response = await acme.post('/v1/submissions', body)
  assert.equal(response.status, 400)
  for (const problem of ['label is missing', 'job_id must', 'profile must', '"extra"'])
    assert.ok(String(response.json['message']).includes(problem), problem)
  for (const label of ['', 'x'.repeat(201), 'two\nlines'])
    assert.equal((await acme.post('/v1/submissions', { label })).status, 400)
  assert.equal((await acme.post('/v1/submissions', '[]')).json['code'], 'body_not_an_object')
})

test('an error names what it is about: a member, a field, a query or path parameter, or a header', async () => {
  const id = await acme.submission()
  const send = (path: string, headers: object, body = '{"label":"x"}') =>
    service.call(path, {
      method: 'POST',
      headers: { 'x-api-key': acme.key, 'content-type': 'application/json', ...headers },
      body,
    })
  for (const [response, param] of [
    [await acme.post('/v1/submissions', { label: 'x', profile: 'none' }), 'profile'],
    [await acme.post('/v1/submissions', { label: 'x', job_id: 'job_none' }), 'job_id'],
    [await acme.post('/v1/submissions', { label: 'x', tags: ['a', ''] }), 'tags[1]'],
    [await acme.upload(id, form({ 'a.txt': 'a' }, { final: 'maybe' })), 'final'],
    [await acme.get('/v1/submissions?limit=0'), 'limit'],
    [await acme.get('/v1/submissions?created_after=soon'), 'created_after'],
    [await acme.get('/v1/submissions/sub_none'), 'submission_id'],
    [await acme.get('/v1/requests/evr_none'), 'evidence_request_id'],
    [await send('/v1/submissions', { 'idempotency-key': 'two words' }), 'Idempotency-Key'],
    [await send(`/v1/submissions/${id}/uploads`, { 'tus-resumable': '1.0.0' }), 'Upload-Length'],
    [await service.call('/v1/nothing'), undefined],
  ] as const)
    assert.equal(response.json['param'], param, JSON.stringify(response.json))
})

test('the list is newest first, and pages are stable while submissions are added', async () => {
  const client = await workspaceClient(service)
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.unshift(await client.submission({ label: `${count}` }))
  const first = (await client.get('/v1/submissions?limit=2')).json
  await client.submission({ label: 'later' })
  const second = (await client.get(`/v1/submissions?limit=2&cursor=${String(first['next_cursor'])}`)).json
  const third = (await client.get(`/v1/submissions?limit=2&cursor=${String(second['next_cursor'])}`)).json
  const seen = [first, second, third].flatMap(({ data }) => data as { submission_id: string }[])
  assert.deepEqual(
    seen.map(({ submission_id }) => submission_id),
    ids,
  )
  assert.equal(third['next_cursor'], null)
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'other=1', 'limit=1&limit=2']) {
    const response = await client.get(`/v1/submissions?${query}`)
    assert.deepEqual([response.status, response.json['code']], [400, 'query_invalid'], query)
  }
})

test('Retry-After is present until a submission is final', async () => {
  const id = await acme.submission()
  for (const path of [`/v1/submissions/${id}`, `/v1/submissions/${id}/deliverables`])
    assert.equal((await acme.get(path)).headers.get('retry-after'), '1')
  await acme.upload(id, form({ 'a.txt': 'a' }))
  await acme.ended(id)
  assert.equal((await acme.get(`/v1/submissions/${id}`)).headers.get('retry-after'), null)
})

test('deliverables support ranges, ETags and HEAD', async () => {
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'a' }))
  await acme.ended(id)
  for (const name of ['kit.zip', 'binder.pdf', 'VERIFY.md']) {
    const path = `/v1/submissions/${id}/deliverables/${name}`
    const whole = await acme.get(path)
    const etag = whole.headers.get('etag') ?? ''
    assert.equal((await acme.get(path, { 'if-none-match': etag })).status, 304, name)
    const part = await acme.get(path, { range: 'bytes=5-9' })
    assert.deepEqual([part.status, part.bytes], [206, whole.bytes.subarray(5, 10)], name)
    assert.equal((await acme.get(path, { range: 'bytes=99999999-' })).status, 416, name)
    const head = await service.call(path, { method: 'HEAD', headers: { 'x-api-key': acme.key } })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, `${whole.bytes.length}`], name)
  }
  for (const name of ['nothing.txt', '../receipt.json', 'data/a.txt', 'reports'])
    assert.equal((await acme.get(`/v1/submissions/${id}/deliverables/${name}`)).status, 404, name)
})

test('a submission of another workspace is not found on any route', async () => {
  const stranger = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'a' }))
  await acme.ended(id)
  for (const path of ['', '/deliverables', '/deliverables/kit.zip']) {
    const response = await stranger.get(`/v1/submissions/${id}${path}`)
    assert.deepEqual([response.status, response.json['code']], [404, 'submission_not_found'], path)
  }
  assert.equal((await stranger.upload(id, form({ 'a.txt': 'a' }))).status, 404)
  assert.equal((await acme.get('/v1/submissions/sub_nothing')).status, 404)
})

const namesOf = (record: Readonly<Record<string, unknown>>): readonly string[] =>
  (record['evidence'] as { name: string }[]).map(({ name }) => name)

async function verdict(kit: Uint8Array): Promise<string> {
  const file = join(service.dataFolder, 'kit.zip')
  writeFileSync(file, kit)
  const keys = parseJwks(parseStrictJson((await service.call('/.well-known/jwks.json')).bytes))
  assert.ok(keys.ok)
  await using opened = await openKit(file)
  return (await verifyKit(opened, trustKeys(keys.value), nodeHost)).status
}

test('HEAD of a deliverable has the headers of GET', async () => {
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'a' }))
  const { deliverables } = await acme.ended(id)
  for (const path of Object.values(deliverables as Record<string, string>)) {
    const options = { headers: { 'x-api-key': acme.key } }
    const [get, head] = [
      await service.call(path, options),
      await service.call(path, { ...options, method: 'HEAD' }),
    ]
    assert.equal(head.status, 200, path)
    for (const name of ['content-type', 'content-length', 'content-disposition', 'etag', 'repr-digest'])
      assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`)
  }
})
