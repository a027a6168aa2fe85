import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { supplierClient } from '../../kit/supplier.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  acme = await workspaceClient(service, { credits: 100 })
})
after(() => service[Symbol.asyncDispose]())

interface Item {
  readonly id: string
  readonly status: string
  readonly can_undo: boolean
  readonly not_applicable: object | null
  readonly files: readonly {
    readonly name: string
    readonly position: number
    readonly change: string | null
  }[]
  readonly removed_files: readonly string[]
}

async function ask() {
  const items = ['A', 'B', 'C'].map((id) => ({ id, title: `Item ${id}` }))
  const { json } = await acme.post('/v1/requests', { title: 'Review', items })
  const { url } = json['link'] as { readonly url: string }
  const path = `/v1/requests/${String(json['evidence_request_id'])}`
  const get = async () =>
    (await acme.get(path)).json as { readonly status: string; readonly items: readonly Item[] }
  return {
    get,
    path,
    supplier: supplierClient(service, url),
    statuses: async () => (await get()).items.map(({ status }) => status),
    review: (id: string, body: object) => acme.post(`${path}/items/${id}`, body),
    report: async (submission: string) =>
      (await acme.get(`/v1/submissions/${submission}/deliverables/reports/request.json`)).json as {
        readonly items: readonly Item[]
      },
  }
}

test('nothing without a file is accepted, and accepting all leaves such items', async () => {
  const { get, path, supplier, statuses, review } = await ask()
  assert.deepEqual(await statuses(), ['missing', 'missing', 'missing'])
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'A/a.txt': 'a' })
  assert.deepEqual(await statuses(), ['collected', 'missing', 'missing'])
  const early = await review('A', { status: 'accepted' })
  assert.deepEqual([early.status, early.json['code']], [409, 'request_item_without_files'], 'not submitted')
  await supplier.submit(draft)
  assert.deepEqual(await statuses(), ['to_review', 'missing', 'missing'])
  const refused = await review('B', { status: 'accepted' })
  assert.deepEqual([refused.status, refused.json['code']], [409, 'request_item_without_files'])
  const all = (await acme.post(`${path}/accept`, {})).json
  assert.equal(all['status'], 'submitted', 'not everything is accepted')
  assert.deepEqual(await statuses(), ['accepted', 'missing', 'missing'])
  assert.equal((await supplier.show()).json['status'], 'submitted')
  for (const id of ['B', 'C']) await review(id, { status: 'not_applicable', reason: 'Outsourced.' })
  assert.equal((await get()).status, 'accepted')
})

test('not applicable needs a reason, by either side, and is sealed', async () => {
  const { get, supplier, statuses, review, report } = await ask()
  const bare = await review('C', { status: 'not_applicable' })
  assert.deepEqual([bare.status, bare.json['code']], [400, 'body_invalid'])
  await review('C', { status: 'not_applicable', reason: 'We asked by mistake.' })
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'A/a.txt': 'a' })
  const answer = (id: string, reason: string | null) =>
    supplier.post(`/items/${id}/answer`, { not_applicable: reason })
  assert.equal((await answer('A', 'No.')).json['code'], 'evidence_invalid', 'it has a file')
  assert.equal((await answer('C', 'No.')).json['code'], 'request_item_locked')
  assert.equal((await answer('B', 'We have no servers.')).status, 201)
  assert.deepEqual(await statuses(), ['collected', 'collected', 'not_applicable'])
  await answer('B', null)
  assert.deepEqual(await statuses(), ['collected', 'missing', 'not_applicable'])
  await answer('B', 'We have no servers.')
  await supplier.submit(draft)
  assert.deepEqual(await statuses(), ['to_review', 'to_review', 'not_applicable'])
  const sealed = (await report(draft)).items
  assert.deepEqual(
    sealed.map(({ status, not_applicable }) => [status, not_applicable]),
    [
      ['to_review', null],
      ['to_review', { reason: 'We have no servers.', by: 'supplier' }],
      ['not_applicable', { reason: 'We asked by mistake.', by: 'requester' }],
    ],
  )
  assert.equal((await review('B', { status: 'accepted' })).json['code'], 'request_item_without_files')
  assert.equal((await review('B', { status: 'not_applicable' })).status, 200, 'the reason of the supplier')
  assert.deepEqual((await get()).items[1]?.not_applicable, { reason: 'We have no servers.', by: 'supplier' })
})

test('every review can be taken back until a kit has it', async () => {
  const { get, supplier, statuses, review } = await ask()
  const draft = await supplier.draft()
  await supplier.upload(draft, { 'A/a.txt': 'a', 'B/b.txt': 'b', 'C/c.txt': 'c' })
  await supplier.submit(draft)
  for (const body of [
    { status: 'accepted' },
    { status: 'needs_changes' },
    { status: 'not_applicable', reason: 'x' },
  ]) {
    await review('A', body)
    const [item] = (await get()).items
    assert.deepEqual([item?.status, item?.can_undo], [body.status, true])
    assert.equal((await review('A', { status: 'to_review' })).status, 200)
    assert.deepEqual(await statuses(), ['to_review', 'to_review', 'to_review'])
  }
  assert.equal(
    (await review('A', { status: 'to_review' })).json['code'],
    'request_review_sealed',
    'no review',
  )

  await review('A', { status: 'needs_changes' })
  const second = await supplier.draft()
  await review('A', { status: 'to_review' })
  assert.equal((await get()).status, 'submitted')
  await review('A', { status: 'needs_changes' })
  await review('B', { status: 'accepted' })
  await supplier.upload(second, { 'A/more.txt': 'more' })
  await supplier.submit(second)
  const sealed = await review('B', { status: 'to_review' })
  assert.deepEqual([sealed.status, sealed.json['code']], [409, 'request_review_sealed'])
  assert.deepEqual(
    (await get()).items.map(({ status, can_undo }) => [status, can_undo]),
    [
      ['to_review', false],
      ['accepted', false],
      ['to_review', false],
    ],
  )
})

test('what the requester has decided is locked, and the next round says what changed', async () => {
  const { get, supplier, statuses, review } = await ask()
  const first = await supplier.draft()
  await supplier.upload(first, { 'A/a.txt': 'a', 'B/old.txt': 'old', 'B/same.txt': 's', 'C/c.txt': 'c' })
  await supplier.submit(first)
  await review('A', { status: 'accepted' })
  await review('B', { status: 'needs_changes' })
  await review('C', { status: 'not_applicable', reason: 'Asked by mistake.' })
  assert.deepEqual(await statuses(), ['accepted', 'needs_changes', 'not_applicable'])
  const second = await supplier.draft()
  const shown = (await supplier.show()).json['items'] as readonly Item[]
  for (const id of ['A', 'C']) {
    const locked = await supplier.upload(second, { [`${id}/new.txt`]: 'x' })
    assert.deepEqual([locked.status, locked.json['code']], [409, 'request_item_locked'])
    const position = shown.find((item) => item.id === id)?.files[0]?.position
    const kept = await supplier.call(`/files/${position}`, { method: 'DELETE' })
    assert.equal(kept.json['code'], 'request_item_locked')
  }
  const tus = await supplier.call(`/v1/submissions/${second}/uploads`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '1',
      'upload-metadata': `filename ${Buffer.from('A/big.txt').toString('base64')}`,
    },
  })
  assert.equal(tus.json['code'], 'request_item_locked')
  const old = shown[1]?.files.find(({ name }) => name === 'B/old.txt')?.position
  await supplier.call(`/files/${old}`, { method: 'DELETE' })
  await supplier.upload(second, { 'B/new.txt': 'new' })
  assert.deepEqual(
    (await get()).items[1]?.files.map(({ name }) => name),
    ['B/old.txt', 'B/same.txt'],
    'the requester reviews what was submitted, not a draft',
  )
  await supplier.submit(second)
  for (const items of [(await get()).items, (await supplier.show()).json['items'] as readonly Item[]]) {
    assert.deepEqual(
      items.map(({ status }) => status),
      ['accepted', 'to_review', 'not_applicable'],
    )
    assert.deepEqual(
      items[1]?.files.map(({ name, change }) => [name, change]),
      [
        ['B/same.txt', null],
        ['B/new.txt', 'added'],
      ],
    )
    assert.deepEqual([items[1]?.removed_files, items[0]?.files[0]?.change], [['B/old.txt'], null])
  }
})

test('a supplier adds and corrects files after submitting, until the requester has decided', async () => {
  const { get, path, supplier, statuses, review } = await ask()
  const first = await supplier.draft()
  await supplier.upload(first, { 'A/a.txt': 'a', 'A/wrong.txt': 'w', 'B/b.txt': 'b' })
  await supplier.submit(first)
  const second = await supplier.draft()
  const [item] = await supplier.items()
  const wrong = item?.files.find(({ name }) => name === 'A/wrong.txt')?.position
  assert.equal((await supplier.call(`/files/${wrong}`, { method: 'DELETE' })).status, 204)
  assert.equal((await supplier.upload(second, { 'A/forgotten.txt': 'f', 'C/c.txt': 'c' })).status, 202)
  assert.deepEqual(await statuses(), ['to_review', 'to_review', 'collected'])
  const shown = (await get()).items[0]?.files.map(({ name }) => name)
  assert.deepEqual(shown, ['A/a.txt', 'A/wrong.txt'], 'the requester reviews what was submitted, not a draft')
  await review('B', { status: 'accepted' })
  assert.equal((await supplier.upload(second, { 'B/late.txt': 'l' })).json['code'], 'request_item_locked')
  await supplier.submit(second)
  assert.deepEqual(await statuses(), ['to_review', 'accepted', 'to_review'])
  const [a] = (await get()).items
  assert.deepEqual(
    a?.files.map(({ name, change }) => [name, change]),
    [
      ['A/a.txt', null],
      ['A/forgotten.txt', 'added'],
    ],
  )
  assert.deepEqual(a?.removed_files, ['A/wrong.txt'])
  await acme.post(`${path}/accept`, {})
  const late = await supplier.call('/draft', { method: 'POST' })
  assert.deepEqual([late.status, late.json['code']], [409, 'request_not_open'])
})

test('a supplier can change what was submitted ten times a day, and as often as it is sent back', async () => {
  const { supplier, review } = await ask()
  const first = await supplier.draft()
  await supplier.upload(first, { 'A/a.txt': 'a' })
  await supplier.submit(first)
  for (let corrections = 0; corrections < 10; corrections++) await supplier.submit(await supplier.draft())
  const refused = await supplier.call('/draft', { method: 'POST' })
  assert.deepEqual([refused.status, refused.json['code']], [429, 'rate_limited'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await review('A', { status: 'needs_changes' })
  assert.notEqual(await supplier.draft(), first)
})

test('a review ends when other files are submitted', async () => {
  const { supplier, statuses, review } = await ask()
  const first = await supplier.draft()
  await supplier.upload(first, { 'A/a.txt': 'a', 'B/b.txt': 'b' })
  await supplier.submit(first)
  await review('A', { status: 'needs_changes' })
  await review('B', { status: 'needs_changes' })
  const second = await supplier.draft()
  await supplier.upload(second, { 'A/more.txt': 'another file' })
  // Accepted while the supplier changes it: this is about the first round.
  await review('A', { status: 'accepted' })
  assert.deepEqual(await statuses(), ['accepted', 'needs_changes', 'missing'])
  await supplier.submit(second)
  assert.deepEqual(await statuses(), ['to_review', 'to_review', 'missing'])
})
