import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseJwks, parseStrictJson, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { supplierClient } from '../../kit/supplier.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { tusClient } from '../../kit/tus.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
let nowMs = Date.now()

before(async () => {
  service = await testService({}, { now: () => nowMs })
  acme = await workspaceClient(service, { credits: 50 })
})
after(() => service[Symbol.asyncDispose]())

const ITEMS = [
  { id: 'CC6.1', title: 'List of users', description: 'An export of all accounts.', due_at: '2026-11-20' },
  { id: 'CC6.2', title: 'Approval of access' },
]

async function ask(members: object = {}, by: WorkspaceClient = acme) {
  const created = await by.post('/v1/requests', { title: 'Access review Q4', items: ITEMS, ...members })
  assert.equal(created.status, 201, created.bytes.toString())
  const { url } = created.json['link'] as { readonly url: string }
  const id = String(created.json['evidence_request_id'])
  const path = `/v1/requests/${id}`
  const get = async () => (await by.get(path)).json
  return { id, path, get, url, created: created.json, supplier: supplierClient(service, url) }
}

test('from a request to a verified kit for both, without an account', async () => {
  const { path, get, url, created, supplier } = await ask({
    message: 'Please send these by Friday.',
    due_at: '2026-12-01',
    recipients: ['ann@supplier.example'],
  })
  assert.match(url, /\/r\/[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(
    [created['status'], created['due_at'], created['round'], created['submission_id']],
    ['open', '2026-12-01T23:59:59.000Z', 0, null],
  )
  const shown = (await supplier.show()).json
  assert.deepEqual(
    [shown['title'], shown['requester'], shown['status'], shown['submission']],
    ['Access review Q4', 'Acme', 'open', null],
  )
  assert.ok(!JSON.stringify(shown).includes('ann@supplier.example'))
  assert.ok(!JSON.stringify(shown).includes(acme.workspaceId))

  const draft = await supplier.draft()
  assert.equal(await supplier.draft(), draft, 'starting again gives the same draft')
  assert.equal((await supplier.upload(draft, { 'CC6.1/users.csv': 'name,role\nada,admin\n' })).status, 202)
  assert.equal(
    (await supplier.upload(draft, { 'CC6.2/approval.txt': 'approved', 'note.txt': 'hello' })).status,
    202,
  )
  const comment = await supplier.post('/items/CC6.2/comments', { comment: 'The board approves in May.' })
  assert.equal(comment.status, 201)
  assert.deepEqual((await get())['progress'], {
    items: 2,
    missing: 0,
    collected: 2,
    to_review: 0,
    needs_changes: 0,
    accepted: 0,
    not_applicable: 0,
  })

  assert.equal(await supplier.submit(draft), 'PASS')
  const done = await get()
  assert.deepEqual([done['status'], done['submission_id']], ['submitted', draft])
  const theirs = await supplier.call('/kit.zip')
  const ours = await acme.get(`/v1/kits/${String(done['kit_id'])}/download`)
  assert.equal(theirs.status, 200)
  assert.ok(theirs.bytes.equals(ours.bytes))

  const file = join(service.dataFolder, 'theirs.zip')
  writeFileSync(file, theirs.bytes)
  await using kit = await openKit(file)
  const keys = parseJwks(parseStrictJson((await service.call('/.well-known/jwks.json')).bytes))
  assert.ok(keys.ok)
  const result = await verifyKit(kit, trustKeys(keys.value), nodeHost)
  assert.equal(result.status, 'PASS', JSON.stringify(result.errors))
  const report = await reportIn(draft)
  assert.deepEqual(
    report.items.map(({ id, status, files }) => [id, status, files.map((each) => each.path)]),
    [
      ['CC6.1', 'to_review', ['data/CC6.1/users.csv']],
      ['CC6.2', 'to_review', ['data/CC6.2/approval.txt']],
    ],
  )
  assert.deepEqual(
    report.other_files.map(({ path: name }) => name),
    ['data/note.txt'],
  )
  assert.equal(report.items[1]?.comments[0]?.text, 'The board approves in May.')
  assert.deepEqual([report.round, report.previous_kit_id], [1, null])

  const accepted = await acme.post(`${path}/accept`, {})
  assert.equal(accepted.json['status'], 'accepted')
  assert.equal((await supplier.call('/draft', { method: 'POST' })).json['code'], 'request_not_open')
  assert.equal((await supplier.call('/kit.zip')).status, 200, 'the kit stays available')
})

interface Report {
  readonly round: number
  readonly previous_kit_id: string | null
  readonly items: readonly {
    readonly id: string
    readonly status: string
    readonly files: readonly { readonly path: string }[]
    readonly comments: readonly { readonly text: string }[]
  }[]
  readonly other_files: readonly { readonly path: string }[]
}

async function reportIn(submissionId: string): Promise<Report> {
  const { bytes, status } = await acme.get(
    `/v1/submissions/${submissionId}/deliverables/reports/request.json`,
  )
  assert.equal(status, 200, bytes.toString())
  return parseStrictJson(bytes) as unknown as Report
}

test('a reopened item starts a new round with the files of the one before', async () => {
  const { path, get, supplier } = await ask()
  const first = await supplier.draft()
  await supplier.upload(first, { 'CC6.1/users.csv': 'name\nada\n', 'CC6.2/a.txt': 'old' })
  assert.equal(await supplier.submit(first), 'PASS')
  const kitBefore = (await get())['kit_id']

  await acme.post(`${path}/items/CC6.1`, { status: 'accepted' })
  const reopened = await acme.post(`${path}/items/CC6.2`, {
    status: 'needs_changes',
    comment: 'It is unsigned.',
  })
  assert.deepEqual([reopened.status, reopened.json['status']], [200, 'open'])
  const seen = await supplier.items()
  assert.deepEqual(
    seen.map(({ status }) => status),
    ['accepted', 'needs_changes'],
  )
  assert.deepEqual(
    seen[1]?.comments.map(({ by, text }) => [by, text]),
    [['requester', 'It is unsigned.']],
  )

  const second = await supplier.draft()
  assert.notEqual(second, first)
  const kept = await supplier.items()
  assert.deepEqual(
    kept.map(({ status, files }) => [status, files.map(({ name }) => name)]),
    [
      ['accepted', ['CC6.1/users.csv']],
      ['needs_changes', ['CC6.2/a.txt']],
    ],
  )
  const of = (index: number): number => kept[index]?.files[0]?.position ?? -1
  const locked = await supplier.call(`/files/${of(0)}`, { method: 'DELETE' })
  assert.deepEqual(
    [locked.status, locked.json['code']],
    [409, 'request_item_locked'],
    'an accepted item keeps its files',
  )
  assert.equal((await supplier.call(`/files/${of(1)}`, { method: 'DELETE' })).status, 204)
  assert.equal(
    (await supplier.call(`/files/${of(1)}`, { method: 'DELETE' })).json['code'],
    'evidence_invalid',
  )
  await supplier.upload(second, { 'CC6.2/signed.txt': 'new' })
  assert.equal(await supplier.submit(second), 'PASS')

  const done = await get()
  assert.deepEqual([done['status'], done['round']], ['submitted', 2])
  assert.deepEqual(
    (done['items'] as { status: string; files: { name: string }[] }[]).map((item) => [
      item.status,
      item.files.map(({ name }) => name),
    ]),
    [
      ['accepted', ['CC6.1/users.csv']],
      ['to_review', ['CC6.2/signed.txt']],
    ],
  )
  const report = await reportIn(second)
  assert.deepEqual([report.round, report.previous_kit_id], [2, kitBefore])
  assert.equal((await acme.post(`${path}/items/CC6.2`, { status: 'accepted' })).json['status'], 'accepted')
})

test('a failed round can be corrected', async () => {
  const { get, supplier } = await ask()
  const draft = await supplier.draft()
  await supplier.upload(draft, {
    'CC6.1/users.csv': 'name\nada\n',
    'CC6.2/tool.exe': Buffer.from('MZ'.padEnd(200, '\0')),
  })
  assert.equal(await supplier.submit(draft), 'FAIL')
  const { submission, status } = (await supplier.show()).json as {
    submission: { findings: { path: string }[] }
    status: string
  }
  assert.equal(status, 'open')
  assert.deepEqual(
    submission.findings.map(({ path }) => path),
    ['CC6.2/tool.exe'],
  )
  const next = await supplier.draft()
  const bad = (await supplier.items())[1]?.files[0]?.position
  await supplier.call(`/files/${bad}`, { method: 'DELETE' })
  await supplier.upload(next, { 'CC6.2/a.txt': 'fine' })
  assert.equal(await supplier.submit(next), 'PASS')
  assert.equal((await get())['status'], 'submitted')
})

test('resumable uploads work under the link, and survive a visit', async () => {
  const { supplier } = await ask()
  const draft = await supplier.draft()
  const tus = tusClient(service, { ...acme, key: '' })
  const headers = { 'x-api-key': undefined }
  const created = await fetch(`${service.base}${supplier.pathname}/v1/submissions/${draft}/uploads`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '6',
      'upload-metadata': `filename ${Buffer.from('CC6.1/big.txt').toString('base64')}`,
    },
  })
  assert.equal(created.status, 201)
  const location = created.headers.get('location') ?? ''
  assert.ok(location.startsWith(`${supplier.pathname}/v1/submissions/${draft}/uploads/`))
  await tus.append(location, 0, Buffer.from('abc'), headers)
  const open = await supplier.call(`/v1/submissions/${draft}/uploads`)
  assert.equal((open.json['data'] as { offset_bytes: number }[])[0]?.offset_bytes, 3)
  await tus.append(location, 3, Buffer.from('def'), headers)
  assert.deepEqual(
    (await supplier.items())[0]?.files.map(({ name }) => name),
    ['CC6.1/big.txt'],
  )
})

test('the draft of an open request does not expire, and that of a closed one does', async () => {
  const { path, supplier } = await ask()
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'CC6.1/a.txt': 'a' })
  const started = nowMs
  try {
    nowMs = started + 60 * DAY_MS
    await service.service.runDue()
    assert.equal((await acme.get(`/v1/submissions/${draft}`)).json['status'], 'PENDING')
    assert.equal((await supplier.items())[0]?.files.length, 1)
    assert.equal((await acme.post(`${path}/close`, {})).json['status'], 'closed')
    nowMs += 31 * DAY_MS
    await service.service.runDue()
    assert.equal((await acme.get(`/v1/submissions/${draft}`)).json['status'], 'EXPIRED')
  } finally {
    nowMs = started
  }
})

const DAY_MS = 24 * 60 * 60 * 1000

test('a closed request can be read, and not changed', async () => {
  const { path, supplier } = await ask()
  const draft = await supplier.draft()
  await acme.post(`${path}/close`, {})
  assert.equal((await supplier.show()).json['status'], 'closed')
  for (const answer of [
    await supplier.call('/draft', { method: 'POST' }),
    await supplier.upload(draft, { 'CC6.1/a.txt': 'a' }),
    await supplier.post('/items/CC6.1/comments', { comment: 'hello?' }),
    await supplier.call('/files/0', { method: 'DELETE' }),
  ])
    assert.deepEqual([answer.status, answer.json['code']], [409, 'request_not_open'])
  assert.equal(
    (await acme.post(`${path}/items/CC6.1`, { status: 'accepted' })).json['code'],
    'request_not_open',
  )
  assert.equal((await acme.post(`${path}/remind`, {})).json['code'], 'request_not_open')
  assert.equal((await acme.post(`${path}/close`, {})).status, 200, 'closing again changes nothing')
})

test('a link opens its own request and nothing else', async () => {
  const mine = await ask()
  const other = await ask()
  const draft = await mine.supplier.draft()
  const foreign = await other.supplier.draft()
  const own = await acme.submission()
  for (const id of [foreign, own]) {
    for (const answer of [
      await mine.supplier.upload(id, { 'CC6.1/a.txt': 'a' }),
      await mine.supplier.call(`/v1/submissions/${id}`),
      await mine.supplier.call(`/v1/submissions/${id}/uploads`),
    ])
      assert.deepEqual([answer.status, answer.json['code']], [404, 'submission_not_found'])
  }
  assert.equal((await mine.supplier.upload(draft, { 'CC6.1/a.txt': 'a' })).status, 202)
  assert.equal(
    (await mine.supplier.post('/items/nothing/comments', { comment: 'x' })).json['code'],
    'request_item_not_found',
  )
  assert.equal((await mine.supplier.call('/kit.zip')).status, 404)
  for (const path of [`/v1/requests/${mine.id}/accept`, '/v1/requests', '/accept', '/items/CC6.1'])
    assert.equal((await mine.supplier.post(path, { status: 'accepted' })).status, 404, path)
})

test('without a mail server nobody is reminded, nothing is recorded, and links stay as they are', async () => {
  const { path, get, supplier } = await ask({ recipients: ['ann@supplier.example'] })
  const refused = await acme.post(`${path}/remind`, {})
  assert.deepEqual([refused.status, refused.json['code']], [409, 'mail_off'])
  const { reminded_at, mails } = await get()
  assert.deepEqual(
    [reminded_at, mails],
    [null, [{ to: 'ann@supplier.example', request: null, reminder: null }]],
  )
  const { data } = (await acme.get('/v1/audit')).json as { readonly data: readonly { action: string }[] }
  assert.ok(!data.some(({ action }) => action === 'request.reminded'))
  assert.equal((await supplier.show()).status, 200)
})

test('a link is replaced only on request, and then earlier ones stop working', async () => {
  const { path, supplier } = await ask()
  const second = supplierClient(service, String((await acme.post(`${path}/links`, {})).json['url']))
  for (const each of [supplier, second]) assert.equal((await each.show()).status, 200)
  const { json } = await acme.post(`${path}/links`, { replace: true })
  for (const each of [supplier, second]) assert.deepEqual((await each.show()).json['code'], 'link_not_found')
  assert.equal((await supplierClient(service, String(json['url'])).show()).status, 200)
})

test('links stop working when they expire or are revoked', async () => {
  const { path, url, supplier } = await ask()
  const another = await acme.post(`${path}/links`, {})
  assert.equal(another.status, 200)
  assert.notEqual(another.json['url'], url)
  const second = supplierClient(service, String(another.json['url']))
  assert.equal((await second.show()).status, 200)
  assert.equal((await supplier.show()).status, 200, 'the first link keeps working')

  const revoked = await service.call(`${path}/links`, {
    method: 'DELETE',
    headers: { 'x-api-key': acme.key },
  })
  assert.equal(revoked.status, 204)
  for (const each of [supplier, second])
    for (const answer of [
      await each.show(),
      await each.call('/draft', { method: 'POST' }),
      await each.call('/kit.zip'),
    ])
      assert.deepEqual([answer.status, answer.json['code']], [404, 'link_not_found'])

  const fresh = supplierClient(service, String((await acme.post(`${path}/links`, {})).json['url']))
  assert.equal((await fresh.show()).status, 200)
  const started = nowMs
  // 90 days after the last of its items is due.
  nowMs += 400 * DAY_MS
  assert.equal((await fresh.show()).json['code'], 'link_not_found')
  nowMs = started
  assert.equal(
    (await supplierClient(service, `${service.base}/r/${'A'.repeat(43)}`).show()).json['code'],
    'link_not_found',
  )
})

test('the token is not in the log, the audit log or the database', async () => {
  const { url, supplier } = await ask()
  await supplier.upload(await supplier.draft(), { 'CC6.1/a.txt': 'a' })
  const token = url.split('/').at(-1) ?? ''
  const audit = (await acme.get('/v1/audit')).bytes.toString()
  assert.ok(!service.log().includes(token) && !audit.includes(token))
  const started = (JSON.parse(audit) as { data: { action: string; actor: string }[] }).data.find(
    ({ action }) => action === 'request.started',
  )
  assert.equal(started?.actor, 'link')
})

test('uploads of a request count against the credits and the limit of the requester', async () => {
  const poor = await workspaceClient(service, { credits: 0 })
  const { supplier } = await ask({}, poor)
  const draft = await supplier.draft()
  const answer = await supplier.upload(draft, { 'CC6.1/a.txt': 'a' })
  assert.deepEqual([answer.status, answer.json['code']], [402, 'credits_exhausted'])
  const earlier = await acme.credits()
  const paid = await ask()
  const id = await paid.supplier.draft()
  await paid.supplier.upload(id, { 'CC6.1/a.txt': 'a' })
  assert.equal(await paid.supplier.submit(id), 'PASS')
  assert.equal((await acme.credits()).available, earlier.available - 1)
})

test('a retry with the same Idempotency-Key creates no second request', async () => {
  const headers = { 'idempotency-key': 'request-1' }
  const body = { title: 'Once', items: ITEMS }
  const [one, two] = [
    await acme.post('/v1/requests', body, headers),
    await acme.post('/v1/requests', body, headers),
  ]
  assert.equal(one.json['evidence_request_id'], two.json['evidence_request_id'])
  const urls = [one, two].map(({ json }) => (json['link'] as { url: string }).url)
  assert.notEqual(urls[0], urls[1], 'the first token is not stored')
  for (const url of urls) assert.equal((await supplierClient(service, url).show()).status, 200)
})

test('a wrong request names every problem', async () => {
  const message = async (body: object): Promise<string> => {
    const { status, json } = await acme.post('/v1/requests', body)
    assert.equal(status, 400, JSON.stringify(json))
    return String(json['message'])
  }
  assert.match(
    await message({
      title: 'x',
      due_at: 'soon',
      items: [
        { id: 'a/b', title: 'x' },
        { id: 'C', title: 'x', due_at: '2026-02-31' },
        { id: 'c', title: ' ' },
      ],
    }),
    /items\[0\]\.id must not contain.*items\[1\]\.due_at must be a date.*items\[2\]\.title is empty.*items\[2\]\.id is the ID of an earlier item.*due_at must be a date/,
  )
  assert.match(await message({ title: 'x' }), /send either items or profile/)
  assert.match(await message({ title: 'x', items: ITEMS, profile: 'default' }), /send either/)
  assert.match(await message({ title: 'x', profile: 'nothing' }), /no profile "nothing"/)
  assert.match(await message({ title: 'x', items: ITEMS, repeat: 'monthly' }), /repeat/)
  assert.match(await message({ title: 'x', items: ITEMS, message: 'a\u0000b' }), /message must be/)
  const { path } = await ask()
  assert.match(String((await acme.post(`${path}/items/CC6.1`, {})).json['message']), /send status or comment/)
  assert.equal(
    (await acme.post(`${path}/items/CC9`, { status: 'accepted' })).json['code'],
    'request_item_not_found',
  )
})

test('the items of a request can come from a profile', async () => {
  const created = await acme.post('/v1/requests', { title: 'Review', profile: 'access-review' })
  assert.equal(created.status, 201, created.bytes.toString())
  assert.ok((created.json['items'] as object[]).length > 0)
  assert.equal(created.json['profile'], 'access-review')
})

test('requests are listed by status, and changed', async () => {
  const { id, path } = await ask({ title: 'To change' })
  const changed = await service.call(path, {
    method: 'PATCH',
    headers: { 'x-api-key': acme.key, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Changed', due_at: '2027-01-31' }),
  })
  assert.deepEqual([changed.status, changed.json['title']], [200, 'Changed'])
  const idsWith = async (status: string): Promise<readonly unknown[]> => {
    const { json } = await acme.get(`/v1/requests?status=${status}&limit=100`)
    return (json['data'] as { evidence_request_id: string }[]).map((each) => each.evidence_request_id)
  }
  assert.ok((await idsWith('open')).includes(id))
  for (const item of ITEMS)
    await acme.post(`${path}/items/${item.id}`, { status: 'not_applicable', reason: 'No such accounts.' })
  assert.ok(!(await idsWith('open')).includes(id) && (await idsWith('accepted')).includes(id))
  await acme.post(`${path}/close`, {})
  assert.ok((await idsWith('closed')).includes(id))
  const page = await acme.get('/v1/requests?limit=1')
  assert.equal((page.json['data'] as object[]).length, 1)
  const next = await acme.get(`/v1/requests?limit=1&cursor=${String(page.json['next_cursor'])}`)
  assert.notDeepEqual(next.json['data'], page.json['data'])
})

test('a copy asks for the same items, with nothing received', async () => {
  const { path, supplier } = await ask({ due_at: '2026-12-01' })
  await supplier.upload(await supplier.draft(), { 'CC6.1/a.txt': 'a' })
  const copy = await acme.post(`${path}/copy`, { title: 'Access review Q1', due_at: '2027-03-01' })
  assert.equal(copy.status, 201, copy.bytes.toString())
  assert.deepEqual(
    [copy.json['title'], copy.json['status'], copy.json['round']],
    ['Access review Q1', 'open', 0],
  )
  const [first] = copy.json['items'] as { id: string; due_at: string; status: string }[]
  assert.deepEqual(
    [first?.id, first?.due_at, first?.status],
    ['CC6.1', '2027-02-18T23:59:59.000Z', 'missing'],
  )
  const { url } = copy.json['link'] as { url: string }
  assert.equal((await supplierClient(service, url).show()).json['title'], 'Access review Q1')
})

test('a kit of a request passes as evidence of a kit archive, with its report in reports/', async () => {
  const { supplier } = await ask()
  const id = await supplier.draft()
  await supplier.upload(id, { 'CC6.1/a.txt': 'a' })
  await supplier.submit(id)
  const { bytes } = await supplier.call('/kit.zip')
  const upload = await service.call('/v1/verify/kit', {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: bytes as unknown as string,
  })
  assert.equal(upload.json['status'], 'PASS')
  assert.ok(bytes.includes('reports/request.json'))
})

test('the draft of a supplier is submitted by the supplier alone, and stays unanswered when the request is closed', async () => {
  const { path, get, supplier } = await ask()
  const draft = await supplier.draft()
  assert.equal((await supplier.upload(draft, { 'CC6.1/users.csv': 'name\nada\n' })).status, 202)
  const refused = async (fields: object, files: Readonly<Record<string, string>>): Promise<void> => {
    const answer = await acme.upload(draft, form(files, fields))
    assert.deepEqual([answer.status, answer.json['code']], [409, 'submission_of_request'])
  }
  await refused({ final: true }, {})
  await refused({ final: false }, { 'CC6.2/added.txt': 'by a colleague' })
  assert.ok(!(await listed()).includes(draft), 'it is no submission of the workspace')
  assert.equal((await acme.post(`${path}/close`, {})).status, 200)
  await refused({ final: true }, {})
  assert.ok(!(await listed()).includes(draft))
  const { status, progress } = (await get()) as { status: string; progress: Record<string, number> }
  assert.deepEqual([status, progress['to_review'], progress['accepted']], ['closed', 0, 0])
  assert.deepEqual([progress['collected'], progress['missing']], [0, 2], 'nothing was answered')
  const events = (await acme.get(`/v1/audit?limit=20`)).json['data'] as readonly {
    readonly action: string
    readonly subject: string
    readonly actor: string
  }[]
  assert.deepEqual(
    events.filter(({ subject }) => subject === draft).map(({ action, actor }) => [action, actor]),
    [
      ['evidence.received', 'link'],
      ['submission.created', 'link'],
    ],
  )
})

async function listed(): Promise<readonly string[]> {
  const { data } = (await acme.get('/v1/submissions?limit=100')).json as {
    readonly data: readonly { readonly submission_id: string }[]
  }
  return data.map(({ submission_id }) => submission_id)
}

test('what a supplier has submitted is a submission of the workspace', async () => {
  const { supplier } = await ask()
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'CC6.1/users.csv': 'name\nada\n' })
  assert.equal(await supplier.submit(draft), 'PASS')
  assert.ok((await listed()).includes(draft))
})

test('what was sent back is not sent again without a change or a word', async () => {
  const { path, get, supplier } = await ask()
  const first = await supplier.draft()
  await supplier.upload(first, { 'CC6.1/users.csv': 'name\nada\n' })
  assert.equal(await supplier.submit(first), 'PASS')
  await acme.post(`${path}/items/CC6.1`, { status: 'needs_changes' })
  const second = await supplier.draft()
  const unchanged = async () => {
    const items = (await supplier.show()).json['items'] as readonly { readonly unchanged: boolean }[]
    return items.map((item) => item.unchanged)
  }
  assert.deepEqual(await unchanged(), [true, false])
  const refused = await supplier.upload(second, {}, { final: true })
  assert.deepEqual([refused.status, refused.json['code']], [409, 'request_unchanged'])
  assert.match(String(refused.json['message']), /sent back "List of users"/)
  await supplier.post('/items/CC6.1/comments', { comment: 'This is the whole list.' })
  assert.equal(await supplier.submit(second), 'PASS')
  const { items } = (await get()) as { items: readonly { status: string; unchanged: boolean }[] }
  assert.deepEqual([items[0]?.status, items[0]?.unchanged], ['to_review', true], 'and the requester sees it')
})

test('a response has the newest comments of a request, and the others are in pages', async () => {
  const { path, get, supplier } = await ask()
  for (let number = 1; number <= 202; number += 1)
    await acme.post(`${path}/items/CC6.1`, { comment: `Comment ${number}` })
  for (const shown of [await get(), (await supplier.show()).json]) {
    const [item] = shown['items'] as { comments: readonly { text: string }[] }[]
    assert.deepEqual(
      [item?.comments.length, item?.comments[0]?.text, shown['older_comments']],
      [200, 'Comment 3', 2],
    )
  }
  const page = (await acme.get(`${path}/comments?limit=100`)).json
  const texts = (page['data'] as { text: string; item_id: string; by: string }[]).map(({ text }) => text)
  assert.deepEqual([texts.length, texts[0], texts[99]], [100, 'Comment 202', 'Comment 103'])
  const next = (await acme.get(`${path}/comments?limit=100&cursor=${String(page['next_cursor'])}`)).json
  assert.equal((next['data'] as { text: string }[])[0]?.text, 'Comment 102')
  const all = (await supplier.call('/comments.json?after=100')).json as {
    comments: { text: string }[]
    next: number
  }
  assert.deepEqual([all.comments[0]?.text, all.next], ['Comment 101', 200])
})
