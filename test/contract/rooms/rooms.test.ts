import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60_000
let ahead = 0
const clock = { now: () => Date.now() + ahead }
let service: TestService
let owner: WorkspaceClient
let kits: readonly string[]
before(async () => {
  service = await testService({}, clock)
  owner = await workspaceClient(service)
  const sealed = await Promise.all(['one', 'two'].map((text) => seal(owner, text)))
  kits = sealed.map(({ kit }) => kit)
})
after(() => service[Symbol.asyncDispose]())

async function seal(by: WorkspaceClient, text: string, members: object = {}) {
  const submission = await by.submission(members)
  await by.upload(submission, form({ 'a.txt': text }))
  return { submission, kit: String((await by.ended(submission))['kit_id']) }
}

const inDays = (days: number): string => new Date(clock.now() + days * DAY_MS).toISOString()

interface Made {
  readonly id: string
  /** Of the recipients in their order, or of anyone. */
  readonly urls: readonly string[]
}

async function open(members: object = {}): Promise<Made> {
  const body = { title: 'Audit 2026', kits, expires_at: inDays(14), ...members }
  const made = await owner.post('/v1/rooms', body)
  assert.equal(made.status, 201, made.bytes.toString())
  const recipients = made.json['recipients'] as readonly { readonly url: string }[]
  const urls = made.json['url'] === null ? recipients.map(({ url }) => url) : [String(made.json['url'])]
  return { id: String(made.json['room_id']), urls }
}

const roomOf = async ({ id }: Made) => (await owner.get(`/v1/rooms/${id}`)).json
const read = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>
const answer = async (response: Response) => [response.status, (await codeOf(response)) ?? null]
const codeOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return text === '' ? null : (JSON.parse(text) as { code?: unknown }).code
}
const send = (url: string, method: 'POST' | 'PUT' | 'PATCH', body: object) =>
  fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const call = (method: string, path: string, body?: object, key = owner.key) =>
  service.call(path, {
    method,
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test('a room has several kits behind one link, each served as the share of one kit is', async () => {
  const made = await open({ note: 'For the walkthrough' })
  const [url = ''] = made.urls
  const room = await read(`${url}/share.json`)
  assert.deepEqual(
    [room['title'], room['note'], room['recipient']],
    ['Audit 2026', 'For the walkthrough', null],
  )
  const listed = room['kits'] as readonly Record<string, unknown>[]
  assert.deepEqual(
    listed.map(({ kit_id, status, files, supplier }) => [kit_id, status, files, supplier]),
    kits.map((kit) => [kit, 'available', 1, { name: 'Acme', confirmed_by: 'operator' }]),
  )
  for (const [index, kit] of kits.entries()) {
    const base = `${url}/kits/${kit}`
    assert.equal((await read(`${base}/share.json`))['kit_id'], kit)
    const zip = Buffer.from(await (await fetch(`${base}/kit.zip`)).arrayBuffer())
    assert.deepEqual(zip, (await owner.get(`/v1/kits/${kit}/download`)).bytes)
    assert.equal(await (await fetch(`${base}/files/data/a.txt`)).text(), ['one', 'two'][index])
    assert.equal((await fetch(`${base}/proofs/data/a.txt`)).status, 200)
    assert.equal((await fetch(`${base}/view/kit.zip`)).status, 200)
  }
  const { data } = (await owner.get(`/v1/rooms/${made.id}/accesses`)).json as {
    data: readonly { kind: string; kit_id: string | null }[]
  }
  const ofFirst = data.filter(({ kit_id }) => kit_id === kits[0]).map(({ kind }) => kind)
  assert.deepEqual(ofFirst, ['viewed', 'downloaded', 'downloaded', 'opened'])
  assert.equal(data.filter(({ kit_id }) => kit_id === null).length, 1)
  const shown = await roomOf(made)
  assert.deepEqual(
    (shown['kits'] as readonly { kit_id: string }[]).map(({ kit_id }) => kit_id),
    kits,
  )
  assert.equal((await owner.get(`/v1/shares/${made.id}`)).status, 404)
  assert.ok(!JSON.stringify((await owner.get('/v1/shares')).json).includes(made.id))
  assert.ok(JSON.stringify((await owner.get('/v1/rooms')).json).includes(made.id))
})

test('one, some or all kits come in one archive of kits, with an entry for each in the access log', async () => {
  const made = await open({ max_downloads: 2 })
  const [url = ''] = made.urls
  const all = Buffer.from(await (await fetch(`${url}/kits.zip`)).arrayBuffer())
  for (const kit of kits) assert.ok(all.includes((await owner.get(`/v1/kits/${kit}/download`)).bytes))
  const end = all.readUInt32LE(all.length - 6)
  assert.equal(all.readUInt32LE(end), 0x02014b50)
  const first = (await owner.get(`/v1/kits/${kits[0]}/download`)).bytes
  assert.equal(all.readUInt32LE(end + 16), crc32(first))
  assert.equal((await roomOf(made))['downloads'], 1)
  const one = await fetch(`${url}/kits.zip?kit=${kits[1]}`, { headers: { range: 'bytes=0-99' } })
  assert.deepEqual([one.status, (await one.arrayBuffer()).byteLength], [206, 100])
  const { data } = (await owner.get(`/v1/rooms/${made.id}/accesses`)).json as {
    data: readonly { kind: string; kit_id: string | null }[]
  }
  assert.deepEqual(
    data.map(({ kind, kit_id }) => [kind, kit_id]),
    [kits[1], kits[1], kits[0]].map((kit) => ['downloaded', kit]),
  )
  assert.deepEqual(await answer(await fetch(`${url}/kits.zip`)), [410, 'share_exhausted'])
  const other = await open({ kits: [kits[0]] })
  assert.deepEqual(await answer(await fetch(`${other.urls[0]}/kits.zip?kit=${kits[0]}&kit=${kits[1]}`)), [
    404,
    'kit_not_found',
  ])
})

test('the room of a series has the kits that come while it is open', async () => {
  const { kit: first } = await seal(owner, 'q1', { series: 'Quarterly' })
  const made = await open({ kits: undefined, series: 'Quarterly', recipients: ['ann@auditor.example'] })
  const ids = async () =>
    ((await read(`${made.urls[0]}/share.json`))['kits'] as readonly { kit_id: string }[]).map(
      ({ kit_id }) => kit_id,
    )
  assert.deepEqual(await ids(), [first])
  const { kit: second } = await seal(owner, 'q2', { series: 'Quarterly' })
  assert.deepEqual(new Set(await ids()), new Set([first, second]))
  assert.equal((await fetch(`${made.urls[0]}/kits/${second}/kit.zip`)).status, 200)
  const other = await workspaceClient(service)
  const stolen = await other.post('/v1/rooms', {
    title: 'x',
    series: 'Quarterly',
    expires_at: inDays(1),
  })
  assert.deepEqual([stolen.status, stolen.json['code']], [404, 'series_not_found'])
})

test('the room of a program has the kits of its series, also before the first', async () => {
  const items = [{ item_id: 'users', title: 'List of users', due_days: 10 }]
  const starts_on = inDays(40).slice(0, 10)
  const body = { name: 'Yearly review', cadence: 'yearly', starts_on, items }
  const program = await owner.post('/v1/programs', body)
  assert.equal(program.status, 201, program.bytes.toString())
  const { program_id, series } = program.json
  const made = await open({ kits: undefined, program: program_id })
  assert.deepEqual([(await roomOf(made))['series'], (await roomOf(made))['kits']], [series, []])
  assert.equal((await fetch(`${made.urls[0]}/kits.zip`)).status, 404)
  const other = await workspaceClient(service)
  const stolen = await other.post('/v1/rooms', { title: 'x', program: program_id, expires_at: inDays(1) })
  assert.deepEqual([stolen.status, stolen.json['code']], [404, 'program_not_found'])
})

test('a link opens nothing but the kits of its room', async () => {
  const made = await open({ kits: [kits[0]] })
  const [url = ''] = made.urls
  const { kit: foreign } = await seal(await workspaceClient(service), 'foreign')
  for (const kit of [kits[1], foreign, 'kit_none'])
    for (const path of ['share.json', 'kit.zip', 'view/kit.zip', 'files/data/a.txt', 'proofs/data/a.txt'])
      assert.equal((await fetch(`${url}/kits/${kit}/${path}`)).status, 404, `${kit} ${path}`)
  for (const path of ['kit.zip', 'files/data/a.txt', 'proofs/data/a.txt'])
    assert.equal((await fetch(`${url}/${path}`)).status, 404, path)
  const place = { kit_id: kits[1], text: 'x', name: 'Ann' }
  assert.deepEqual(await answer(await send(`${url}/comments`, 'POST', place)), [404, 'kit_not_found'])
  const mark = { kit_id: foreign, is_reviewed: true, name: 'Ann' }
  assert.deepEqual(await answer(await send(`${url}/reviews`, 'PUT', mark)), [404, 'kit_not_found'])
  const share = await owner.post('/v1/shares', { kit_id: kits[0], expires_at: inDays(1) })
  const shareUrl = String(share.json['url'])
  assert.equal((await fetch(`${shareUrl}/kits/${kits[0]}/kit.zip`)).status, 404)
  assert.equal((await fetch(`${shareUrl}/kits.zip`)).status, 404)
  assert.equal((await fetch(`${shareUrl}/remarks.json`)).status, 404)
  for (const members of [
    { kits: [foreign] },
    { kits: [] },
    { kits: undefined },
    { series: 'Quarterly' },
    { title: '' },
    { unknown: 1 },
  ]) {
    const body = { title: 'x', kits, expires_at: inDays(1), ...members }
    const refused = await owner.post('/v1/rooms', body)
    assert.ok([400, 404].includes(refused.status), JSON.stringify(members))
  }
})

test('a revoked recipient, a revoked room and an expired one read and write nothing', async () => {
  const made = await open({ recipients: ['ann@auditor.example', 'bob@auditor.example'] })
  const [ann = '', bob = ''] = made.urls
  const tries = async (url: string) => {
    const comment = { kit_id: kits[0], text: 'Why?' }
    const responses = [
      await fetch(`${url}/share.json`),
      await fetch(`${url}/remarks.json`),
      await fetch(`${url}/kits.zip`),
      await fetch(`${url}/kits/${kits[0]}/kit.zip`),
      await send(`${url}/comments`, 'POST', comment),
      await send(`${url}/reviews`, 'PUT', { kit_id: kits[0], is_reviewed: true }),
    ]
    return new Set(responses.map(({ status }) => status))
  }
  assert.equal((await call('DELETE', `/v1/rooms/${made.id}/links?recipient=ann@auditor.example`)).status, 204)
  assert.deepEqual(await tries(ann), new Set([410]))
  assert.equal((await fetch(`${bob}/share.json`)).status, 200)
  ahead = 15 * DAY_MS
  try {
    assert.deepEqual(await tries(bob), new Set([410]))
  } finally {
    ahead = 0
  }
  assert.equal((await call('DELETE', `/v1/rooms/${made.id}`)).status, 204)
  assert.deepEqual(await tries(bob), new Set([410]))
  const late = await owner.post(`/v1/rooms/${made.id}/comments`, { kit_id: kits[0], text: 'x' })
  assert.equal(late.json['code'], 'share_revoked')
})

test('a kit whose evidence is deleted is named as that, and the others stay', async () => {
  const [stays, goes] = await Promise.all(
    ['stays', 'goes'].map((text) => seal(owner, text, { series: 'Lost' })),
  )
  assert.ok(stays !== undefined && goes !== undefined)
  assert.equal((await call('DELETE', `/v1/submissions/${goes.submission}`)).status, 204)
  const made = await open({ kits: undefined, series: 'Lost' })
  const [url = ''] = made.urls
  const shown = (await read(`${url}/share.json`))['kits'] as readonly { kit_id: string; status: string }[]
  const statuses = new Map(shown.map(({ kit_id, status }) => [kit_id, status]))
  assert.deepEqual([statuses.get(stays.kit), statuses.get(goes.kit)], ['available', 'erased'])
  assert.equal((await fetch(`${url}/kits/${goes.kit}/share.json`)).status, 200)
  for (const path of ['kit.zip', 'view/kit.zip', 'files/data/a.txt', 'proofs/data/a.txt'])
    assert.equal((await fetch(`${url}/kits/${goes.kit}/${path}`)).status, 410, path)
  assert.equal((await fetch(`${url}/kits.zip?kit=${goes.kit}`)).status, 410)
  const all = Buffer.from(await (await fetch(`${url}/kits.zip`)).arrayBuffer())
  assert.ok(all.includes(`${stays.kit}.zip`) && !all.includes(`${goes.kit}.zip`))
  const late = await owner.post('/v1/rooms', { title: 'x', kits: [goes.kit], expires_at: inDays(1) })
  assert.equal(late.json['code'], 'kit_expired')
})

test('a question is answered by the other side, opened again by its own, and resolved', async () => {
  const made = await open({ recipients: ['ann@auditor.example', 'bob@auditor.example'] })
  const [ann = '', bob = ''] = made.urls
  const asked = await send(`${ann}/comments`, 'POST', {
    kit_id: kits[0],
    path: 'data/a.txt',
    text: ' Who approved this?\nAnd when? ',
    is_question: true,
    name: 'someone else',
  })
  assert.equal(asked.status, 201)
  const question = (await asked.json()) as Record<string, unknown>
  assert.deepEqual(
    ['author', 'author_basis', 'side', 'state', 'path'].map((name) => question[name]),
    ['ann@auditor.example', 'recipient', 'reviewer', 'open', 'data/a.txt'],
  )
  const text = 'Who approved this?\nAnd when?'
  assert.deepEqual([question['text'], question['sha256']], [text, sha256(text)])
  assert.equal((await roomOf(made))['open_questions'], 1)
  const id = String(question['comment_id'])
  const waiting = (await owner.get('/v1/overview')).json['waiting'] as readonly Record<string, unknown>[]
  assert.ok(waiting.some((each) => each['what'] === 'question' && each['id'] === made.id))
  const comments = `/v1/rooms/${made.id}/comments`
  const reply = await owner.post(comments, { kit_id: kits[1], text: 'The board.', reply_to: id })
  assert.deepEqual([reply.status, reply.json['kit_id'], reply.json['author']], [201, kits[0], 'Acme'])
  const stateNow = async () =>
    ((await read(`${bob}/remarks.json`))['comments'] as readonly Record<string, unknown>[]).find(
      ({ comment_id }) => comment_id === id,
    )?.['state']
  assert.equal(await stateNow(), 'answered')
  assert.equal((await roomOf(made))['open_questions'], 0)
  await send(`${ann}/comments`, 'POST', { kit_id: kits[0], text: 'Which one?', reply_to: id })
  assert.equal(await stateNow(), 'open')
  const change = (url: string) => send(`${url}/comments/${id}`, 'PATCH', { state: 'resolved' })
  assert.equal((await change(bob)).status, 404)
  assert.equal((await change(ann)).status, 200)
  assert.equal(await stateNow(), 'resolved')
  assert.equal((await call('PATCH', `${comments}/${id}`, { state: 'open' })).status, 200)
  assert.equal(await stateNow(), 'open')
  const plain = await owner.post(comments, { kit_id: kits[0], text: 'No question.' })
  for (const wrong of [
    { kit_id: kits[0], text: '   ' },
    { kit_id: kits[0], text: 'x', path: 'data/none.txt' },
    { kit_id: kits[0], text: 'x', item_id: 'none' },
    { kit_id: kits[0], text: 'x', reply_to: String(reply.json['comment_id']) },
    { kit_id: kits[0], text: 'x', reply_to: 'cmt_none' },
    { kit_id: kits[0], text: 'x'.repeat(4001) },
    { kit_id: kits[0], text: 'a \u202e b' },
    { text: 'x' },
  ]) {
    const refused = await owner.post(comments, wrong)
    assert.ok([400, 404].includes(refused.status), JSON.stringify(wrong))
  }
  const notQuestion = await call('PATCH', `${comments}/${String(plain.json['comment_id'])}`, {
    state: 'resolved',
  })
  assert.equal(notQuestion.status, 400)
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('an erased comment leaves its ID and SHA-256, and the audit log never had its text or author', async () => {
  const made = await open()
  const [url = ''] = made.urls
  const text = 'My salary is in this file.'
  assert.deepEqual(await answer(await send(`${url}/comments`, 'POST', { kit_id: kits[0], text })), [
    400,
    'body_invalid',
  ])
  const written = await send(`${url}/comments`, 'POST', {
    kit_id: kits[0],
    text,
    name: 'Zoe Winterbottom Example',
  })
  const { comment_id: id, author_basis } = (await written.json()) as Record<string, unknown>
  assert.equal(author_basis, 'not_verified')
  const path = `/v1/rooms/${made.id}/comments/${String(id)}`
  const other = await workspaceClient(service)
  assert.equal((await call('DELETE', path, undefined, other.key)).status, 404)
  assert.equal((await call('DELETE', path)).status, 204)
  assert.equal((await call('DELETE', path)).status, 204)
  const remarks = JSON.stringify(await read(`${url}/remarks.json`))
  const listed = JSON.stringify((await owner.get(`/v1/rooms/${made.id}/comments`)).json)
  const audit = JSON.stringify((await owner.get('/v1/audit?action=share&limit=100')).json)
  for (const shown of [remarks, listed, audit]) {
    assert.ok(shown.includes(sha256(text)) && shown.includes(String(id)))
    assert.ok(!shown.includes('salary') && !shown.includes('Winterbottom'))
  }
  assert.equal(audit.split('share.comment_erased').length, 2)
})

const mark = async (url: string, members: object) =>
  (await send(`${url}/reviews`, 'PUT', { kit_id: kits[0], is_reviewed: true, ...members })).status

test('a review is the statement of its reviewer, and only they take it back', async () => {
  const made = await open({ recipients: ['Ann@auditor.example', 'bob@auditor.example'] })
  const [ann = '', bob = ''] = made.urls
  assert.equal(await mark(ann, {}), 204)
  assert.equal(await mark(ann, {}), 204)
  assert.equal(await mark(ann, { path: 'data/a.txt', name: 'bob@auditor.example' }), 204)
  assert.equal(await mark(bob, { is_reviewed: false }), 204)
  assert.equal(await mark(bob, { path: 'data/none.txt' }), 404)
  assert.equal(await mark(bob, { item_id: 'none' }), 404)
  const reviews = async () =>
    (
      (await owner.get(`/v1/rooms/${made.id}/reviews`)).json['data'] as readonly {
        reviewer: string
        path: string | null
      }[]
    ).map(({ reviewer, path }) => [reviewer, path])
  assert.deepEqual(await reviews(), [
    ['ann@auditor.example', 'data/a.txt'],
    ['ann@auditor.example', null],
  ])
  assert.equal(await mark(ann, { is_reviewed: false }), 204)
  assert.deepEqual(await reviews(), [['ann@auditor.example', 'data/a.txt']])
  const { data } = (await owner.get(`/v1/rooms/${made.id}/accesses`)).json as {
    data: readonly { kind: string }[]
  }
  assert.deepEqual(
    data.map(({ kind }) => kind),
    ['review_withdrawn', 'reviewed', 'reviewed'],
  )
  const audit = JSON.stringify((await owner.get('/v1/audit?action=share.review_withdrawn')).json)
  assert.match(audit, /share.review_withdrawn/)
})
