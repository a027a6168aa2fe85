import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Period, Program, ProgramBoard, ProgramList } from '@kitseal/client'
import { member } from '../../kit/console.ts'
import { supplierClient } from '../../kit/supplier.ts'
import { sameStore, type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

type PeriodItem = Period['items'][number]

let service: TestService
let acme: WorkspaceClient
/** 18 November 2026. */
const START_MS = Date.UTC(2026, 10, 18)
let nowMs = START_MS

before(async () => {
  service = await testService({}, { now: () => nowMs })
  acme = await workspaceClient(service, { credits: 50 })
  await member(service, 'owner', acme.workspaceId, 'ann@acme.example')
  await member(service, 'viewer', acme.workspaceId, 'vera@acme.example')
})
after(() => service[Symbol.asyncDispose]())

const ITEMS = [
  { item_id: 'CC6.1', title: 'List of users', owner: 'Ann@acme.example', due_days: 14 },
  { item_id: 'CC6.2', title: 'Approvals', due_days: 3 },
  { item_id: 'CC9.1', title: 'Report', source: 'request', recipients: ['bob@supplier.example'] },
  { item_id: 'CC9.2', title: 'Certificate', source: 'request', recipients: ['bob@supplier.example'] },
]

async function send<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: object,
  by: WorkspaceClient = acme,
): Promise<{ readonly status: number; readonly json: T }> {
  const { status, json } = await service.call(path, {
    method,
    headers: { 'x-api-key': by.key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status, json: json as T }
}

async function create(members: object = {}) {
  const body = {
    name: 'Access review',
    cadence: 'quarterly',
    starts_on: '2026-11-18',
    items: ITEMS,
    ...members,
  }
  const { status, json } = await send<Program>('POST', '/v1/programs', body)
  assert.equal(status, 201, JSON.stringify(json))
  const path = `/v1/programs/${json.program_id}`
  const board = async () => (await send<ProgramBoard>('GET', `${path}/board`)).json
  const period = async (name: string) => (await send<Period>('GET', `${path}/periods/${name}`)).json
  const change = (name: string, item: string, said: object) =>
    send<Period>('PATCH', `${path}/periods/${name}/items/${item}`, said)
  const add = async (name: string, files: Readonly<Record<string, string>>) => {
    const { submission_id } = await period(name)
    return acme.upload(submission_id, form(files, { final: false }))
  }
  return { program: json, path, board, period, change, add }
}

const itemOf = ({ items }: Period, id: string): PeriodItem => {
  const item = items.find(({ item_id }) => item_id === id)
  assert.ok(item)
  return item
}
const statusOf = (period: Period, id: string): string => itemOf(period, id).status

test('a program whose start has come opens its period at once, with due dates and one request for each set of recipients', async () => {
  const { program, board, period } = await create()
  assert.deepEqual(
    [program.series, program.next_period_on, program.items[0]?.owner],
    ['Access review', '2027-02-18', 'ann@acme.example'],
  )
  const { periods, cells, next_cursor } = await board()
  assert.equal(next_cursor, null)
  assert.deepEqual(
    periods.map(({ period: name, from, to, status }) => [name, from, to, status]),
    [['2026-Q4', '2026-11-18', '2027-02-17', 'open']],
  )
  assert.deepEqual(
    cells.map(({ item_id, status, files }) => [item_id, status, files]),
    ITEMS.map(({ item_id }) => [item_id, 'missing', 0]),
  )
  const { items, due_at } = await period('2026-Q4')
  assert.equal(items[0]?.due_at, '2026-12-02T23:59:59.000Z')
  assert.equal(due_at, '2026-12-18T23:59:59.000Z')
  const requests = new Set(items.map(({ evidence_request_id }) => evidence_request_id))
  assert.equal(requests.size, 2, 'null and one request')
  const id = items[2]?.evidence_request_id
  const { json } = await acme.get(`/v1/requests/${id}`)
  assert.deepEqual([json['title'], json['recipients']], ['Access review 2026-Q4', ['bob@supplier.example']])
  const again = await create()
  assert.equal(again.program.series, 'Access review 2', 'each program has a series of its own')
})

test('a program that starts later has no period yet, and one without a cadence opens periods on request', async () => {
  const later = await create({ starts_on: '2026-12-01' })
  assert.deepEqual((await later.board()).periods, [])
  const early = await send<Period>('POST', `${later.path}/periods`, {})
  assert.deepEqual([early.status, early.json.period, early.json.from], [201, '2026-Q4', '2026-12-01'])
  const once = await create({ cadence: 'none' })
  assert.equal(once.program.next_period_on, null)
  const second = await send<Period>('POST', `${once.path}/periods`, {})
  assert.deepEqual([second.json.period, second.json.to], ['2', null])
})

test('files give an item its status, and a review ends when they change', async () => {
  const { period, change, add } = await create()
  const q4 = () => period('2026-Q4')
  assert.equal((await change('2026-Q4', 'CC6.1', { status: 'accepted' })).status, 409, 'no files')
  assert.equal((await change('2026-Q4', 'CC6.1', { status: 'to_review' })).status, 409)
  assert.equal((await change('2026-Q4', 'CC6.2', { status: 'not_applicable' })).status, 400, 'no reason')
  assert.equal((await change('2026-Q4', 'nothing', { comment: 'x' })).status, 404)
  assert.equal((await change('2026-Q4', 'CC6.1', {})).status, 400)
  const none = await change('2026-Q4', 'CC6.2', { status: 'not_applicable', reason: 'No changes.' })
  assert.deepEqual(itemOf(none.json, 'CC6.2').not_applicable, 'No changes.')
  assert.equal((await add('2026-Q4', { 'CC6.1/users.csv': 'a,b' })).status, 202)
  assert.equal(statusOf(await q4(), 'CC6.1'), 'collected')
  const asked = await change('2026-Q4', 'CC6.1', { status: 'to_review', comment: 'Ready.' })
  assert.deepEqual(
    [statusOf(asked.json, 'CC6.1'), itemOf(asked.json, 'CC6.1').comments.map(({ by, text }) => [by, text])],
    ['to_review', [['workspace', 'Ready.']]],
  )
  assert.equal(statusOf((await change('2026-Q4', 'CC6.1', { status: 'accepted' })).json, 'CC6.1'), 'accepted')
  await add('2026-Q4', { 'CC6.1/more.csv': 'c,d' })
  assert.equal(statusOf(await q4(), 'CC6.1'), 'to_review')
  await change('2026-Q4', 'CC6.1', { status: 'needs_changes' })
  const { path } = { path: `/v1/programs/${(await q4()).program_id}/periods/2026-Q4` }
  const [first, second] = itemOf(await q4(), 'CC6.1').files
  assert.equal((await send('DELETE', `${path}/files/${first?.position}`)).status, 204)
  assert.equal(statusOf(await q4(), 'CC6.1'), 'to_review', 'the files are others now')
  assert.equal((await send('DELETE', `${path}/files/${second?.position}`)).status, 204)
  for (const position of [second?.position, 'x', -1, 1.5, 1e20])
    assert.equal((await send('DELETE', `${path}/files/${position}`)).status, 404)
  assert.equal(statusOf(await q4(), 'CC6.1'), 'needs_changes')
})

test('the draft of a period takes files of its internal items only, and is not submitted or deleted alone', async () => {
  const { period, add } = await create()
  const message = async (name: string): Promise<string> => {
    const { status, json } = await add('2026-Q4', { [name]: 'x' })
    assert.equal(status, 400)
    return String(json['message'])
  }
  assert.match(await message('users.csv'), /in the folder of no item.*ITEM\/FILE/)
  assert.match(await message('CC7/users.csv'), /has no item "CC7"/)
  assert.match(await message('CC9.1/report.pdf'), /is supplied through the request evr_/)
  const { submission_id } = await period('2026-Q4')
  const final = await acme.upload(submission_id, form({ 'CC6.1/users.csv': 'x' }))
  assert.deepEqual([final.status, final.json['code']], [409, 'submission_of_period'])
  const deleted = await send('DELETE', `/v1/submissions/${submission_id}`)
  assert.deepEqual([deleted.status, deleted.json['code']], [409, 'submission_of_period'])
})

test('an owner is a member who can add files, and an item has an owner or recipients', async () => {
  const message = async (item: object): Promise<string> => {
    const items = [{ item_id: 'A', title: 'A', ...item }]
    const body = { name: 'x', cadence: 'none', starts_on: '2026-11-18', items }
    const { status, json } = await send('POST', '/v1/programs', body)
    assert.equal(status, 400)
    return String(json['message'])
  }
  assert.match(await message({ owner: 'eve@other.example' }), /is not a member .* source "request"/)
  assert.match(await message({ owner: 'vera@acme.example' }), /is a viewer/)
  assert.match(await message({ source: 'request', owner: 'ann@acme.example' }), /owner must be left out/)
  assert.match(await message({ recipients: ['bob@supplier.example'] }), /needs the source "request"/)
  assert.match(await message({ item_id: 'a/b' }), /item_id must not contain/)
  assert.match(await message({ due_days: -1 }), /due_days/)
  const both = { name: 'x', cadence: 'none', starts_on: '2026-02-31', items: ITEMS, profile: 'default' }
  const { json } = await send('POST', '/v1/programs', both)
  assert.match(String(json['message']), /starts_on must be a date.*send either items or profile/)
})

test('a program takes its items from a profile, and an unknown one is refused', async () => {
  const body = { name: 'By profile', cadence: 'quarterly', starts_on: '2026-11-18', profile: 'access-review' }
  const { status, json } = await send('POST', '/v1/programs', body)
  assert.equal(status, 201, JSON.stringify(json))
  const { items } = json as { items: readonly { item_id: string }[] }
  assert.ok(items.length > 0)
  assert.equal((await send('POST', '/v1/programs', { ...body, profile: 'unknown' })).status, 400)
})

test('nothing of a program is seen or changed from another workspace', async () => {
  const { path } = await create()
  const other = await workspaceClient(service)
  for (const [method, rest, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['GET', '/board'],
    ['POST', '/periods', {}],
    ['GET', '/periods/2026-Q4'],
    ['PATCH', '/periods/2026-Q4/items/CC6.1', { comment: 'x' }],
    ['DELETE', '/periods/2026-Q4/files/0'],
    ['POST', '/periods/2026-Q4/seal', {}],
  ] as const) {
    const { status, json } = await send(method, path + rest, body, other)
    assert.deepEqual([status, json['code']], [404, 'program_not_found'], `${method} ${rest}`)
  }
  assert.equal((await send('GET', `${path}/periods/2026-Q1`)).status, 404)
  const { json } = await send<ProgramList>('GET', '/v1/programs', undefined, other)
  assert.deepEqual(json.data, [])
})

test('changed items hold for the next period, and in the open one where they are internal', async () => {
  const { path, period } = await create()
  const [users, , report] = ITEMS
  const items = [
    { ...users, title: 'Users', due_days: 7, owner: null },
    { ...report, title: 'Other report' },
    { item_id: 'NEW', title: 'New' },
    { item_id: 'SUP', title: 'Asked', source: 'request', recipients: ['eve@supplier.example'] },
  ]
  const { status, json } = await send<Program>('PATCH', path, { items, name: 'Renamed', cadence: 'monthly' })
  assert.equal(status, 200)
  assert.deepEqual(
    [json.name, json.series.startsWith('Access review'), json.next_period_on],
    ['Renamed', true, '2026-12-18'],
  )
  const q4 = await period('2026-Q4')
  assert.deepEqual(q4.items.map(({ item_id }) => item_id).toSorted(), [
    'CC6.1',
    'CC6.2',
    'CC9.1',
    'CC9.2',
    'NEW',
    'SUP',
  ])
  const changed = itemOf(q4, 'CC6.1')
  assert.deepEqual([changed.title, changed.owner, changed.due_at.slice(0, 10)], ['Users', null, '2026-11-25'])
  assert.equal(itemOf(q4, 'CC9.1').title, 'Report', 'the supplier was asked for it')
  assert.notEqual(itemOf(q4, 'SUP').evidence_request_id, null)
  const next = await send<Period>('POST', `${path}/periods`, {})
  assert.deepEqual(
    [next.json.period, next.json.items.map(({ item_id }) => item_id)],
    ['2026-12', ['CC6.1', 'CC9.1', 'NEW', 'SUP']],
  )
  assert.equal((await send<Program>('PATCH', path, { ended: true })).json.next_period_on, null)
  assert.equal((await send('PATCH', path, { name: 'Again' })).json['code'], 'program_ended')
  assert.equal((await send('POST', `${path}/periods`, {})).json['code'], 'program_ended')
})

test('the owner and the due date of an item change in a period, and it is late when it is past due', async () => {
  const { change, board } = await create()
  const { json } = await change('2026-Q4', 'CC6.2', { owner: 'ann@acme.example', due_at: '2026-11-17' })
  assert.deepEqual([itemOf(json, 'CC6.2').owner, itemOf(json, 'CC6.2').is_late], ['ann@acme.example', true])
  assert.equal((await change('2026-Q4', 'CC9.1', { owner: 'ann@acme.example' })).status, 400)
  assert.equal((await change('2026-Q4', 'CC6.2', { owner: 'vera@acme.example' })).status, 400)
  assert.equal((await change('2026-Q4', 'CC6.2', { due_at: 'soon, please' })).status, 400)
  const moved = await change('2026-Q4', 'CC9.1', { due_at: '2026-12-24' })
  const request = await acme.get(`/v1/requests/${itemOf(moved.json, 'CC9.1').evidence_request_id}`)
  assert.match(JSON.stringify(request.json['items']), /"due_at":"2026-12-24T23:59:59/)
  assert.deepEqual(
    (await board()).cells.filter(({ is_late }) => is_late).map(({ item_id }) => item_id),
    ['CC6.2'],
  )
})

test('files with the bytes of the period before are said to be the same, under any name', async () => {
  const { path, period, add, board } = await create()
  await add('2026-Q4', { 'CC6.1/users.csv': 'unchanged', 'CC6.2/a.txt': 'moved', 'CC6.2/b.txt': 'old' })
  await send('POST', `${path}/periods`, {})
  await add('2027-Q1', { 'CC6.1/users.csv': 'unchanged', 'CC6.1/c.txt': 'moved', 'CC6.2/b.txt': 'new' })
  const { items } = await period('2027-Q1')
  const same = items.flatMap(({ files }) => files.map(({ name, same_as }) => [name, same_as]))
  assert.deepEqual(same, [
    ['CC6.1/users.csv', { period: '2026-Q4', name: 'CC6.1/users.csv' }],
    ['CC6.1/c.txt', { period: '2026-Q4', name: 'CC6.2/a.txt' }],
    ['CC6.2/b.txt', null],
  ])
  const cells = (await board()).cells.filter(({ files }) => files > 0)
  assert.deepEqual(
    cells.map(({ period: of, item_id, files, same_files }) => [of, item_id, files, same_files]),
    [
      ['2027-Q1', 'CC6.1', 2, 2],
      ['2027-Q1', 'CC6.2', 1, 0],
      ['2026-Q4', 'CC6.1', 1, 0],
      ['2026-Q4', 'CC6.2', 2, 0],
    ],
  )
  const { json } = await send<ProgramBoard>('GET', `${path}/board?limit=1`)
  assert.deepEqual([json.periods.length, typeof json.next_cursor], [1, 'string'])
  const older = await send<ProgramBoard>('GET', `${path}/board?limit=1&cursor=${json.next_cursor}`)
  assert.deepEqual(
    older.json.periods.map(({ period: name }) => name),
    ['2026-Q4'],
  )
})

async function answer(requestId: string | null, files: Readonly<Record<string, string>>): Promise<void> {
  const { json } = await acme.post(`/v1/requests/${requestId}/links`, {})
  const supplier = supplierClient(service, String(json['url']))
  const draft = await supplier.draft()
  const { status } = await supplier.upload(draft, files)
  assert.equal(status, 202)
  assert.equal(await supplier.submit(draft), 'PASS')
}

test('a sealed period is a kit of the series with the files of members and suppliers, and a report of what is missing', async () => {
  const { path, period, change, add, program } = await create()
  const requestId = itemOf(await period('2026-Q4'), 'CC9.1').evidence_request_id
  const empty = await send('POST', `${path}/periods/2026-Q4/seal`, {})
  assert.deepEqual([empty.status, empty.json['code']], [400, 'evidence_invalid'])
  assert.equal((await period('2026-Q4')).status, 'open')
  await add('2026-Q4', { 'CC6.1/users.csv': 'a,b' })
  await answer(requestId, { 'CC9.1/report.txt': 'the report' })
  assert.equal(statusOf(await period('2026-Q4'), 'CC9.1'), 'to_review')
  const accepted = await change('2026-Q4', 'CC9.1', { status: 'accepted' })
  assert.equal(statusOf(accepted.json, 'CC9.1'), 'accepted')
  const sealing = await send<Period>('POST', `${path}/periods/2026-Q4/seal`, {})
  assert.equal(sealing.status, 202)
  assert.deepEqual(
    sealing.json.open_requests,
    [{ evidence_request_id: requestId, recipients: ['bob@supplier.example'], items: ['CC9.1', 'CC9.2'] }],
    'what it closes is named',
  )
  assert.equal((await send('POST', `${path}/periods/2026-Q4/seal`, {})).json['code'], 'period_sealed')
  await acme.ended(sealing.json.submission_id)
  const sealed = await period('2026-Q4')
  assert.equal(sealed.status, 'sealed')
  assert.equal((await change('2026-Q4', 'CC6.1', { status: 'accepted' })).status, 409)
  const report = await acme.get(`/v1/kits/${sealed.kit_id}/files/reports/program.json`)
  const {
    items,
    period: name,
    series,
  } = JSON.parse(report.bytes.toString()) as {
    readonly period: string
    readonly series: string
    readonly items: {
      readonly id: string
      readonly status: string
      readonly request: { readonly kit_id: string } | null
      readonly files: { readonly path: string }[]
    }[]
  }
  assert.deepEqual([name, series], ['2026-Q4', program.series])
  assert.deepEqual(
    items.map(({ id, status, files }) => [id, status, files.map((file) => file.path)]),
    [
      ['CC6.1', 'collected', ['data/CC6.1/users.csv']],
      ['CC6.2', 'missing', []],
      ['CC9.1', 'accepted', ['data/CC9.1/report.txt']],
      ['CC9.2', 'missing', []],
    ],
  )
  assert.match(String(items[2]?.request?.kit_id), /^kit_/)
  assert.deepEqual(
    sealed.items.map(({ files }) => files.length),
    [1, 0, 1, 0],
  )
  const request = await acme.get(`/v1/requests/${requestId}`)
  assert.equal(request.json['status'], 'closed', 'nothing can be added to the kit any more')
  const timeline = await acme.get(`/v1/series/${encodeURIComponent(program.series)}`)
  assert.equal((timeline.json['data'] as unknown[]).length, 1)
})

test('a period whose files fail is open again with them, and can be corrected and sealed', async () => {
  const { path, period, add } = await create()
  const requestId = itemOf(await period('2026-Q4'), 'CC9.1').evidence_request_id
  await answer(requestId, { 'CC9.1/report.txt': 'the report' })
  await add('2026-Q4', { 'CC6.1/users.csv': 'a,b', 'CC6.1/tool.txt': `MZ${'\0'.repeat(300)}` })
  const sealing = await send<Period>('POST', `${path}/periods/2026-Q4/seal`, {})
  assert.equal((await acme.ended(sealing.json.submission_id))['status'], 'FAIL')
  const failed = await period('2026-Q4')
  assert.deepEqual(
    [failed.status, failed.failed_submission_id, failed.submission_id === sealing.json.submission_id],
    ['failed', sealing.json.submission_id, false],
  )
  assert.equal(statusOf(failed, 'CC9.1'), 'to_review', 'what the supplier sent stays in the request')
  const bad = itemOf(failed, 'CC6.1').files.find(({ name }) => name.endsWith('tool.txt'))
  assert.equal((await send('DELETE', `${path}/periods/2026-Q4/files/${bad?.position}`)).status, 204)
  const again = await send<Period>('POST', `${path}/periods/2026-Q4/seal`, {})
  assert.equal((await acme.ended(again.json.submission_id))['status'], 'PASS')
  const sealed = await period('2026-Q4')
  assert.deepEqual([sealed.status, sealed.failed_submission_id], ['sealed', null])
  assert.deepEqual(
    sealed.items.map(({ files }) => files.map(({ name }) => name)),
    [['CC6.1/users.csv'], [], ['CC9.1/report.txt'], []],
  )
})

test('a member adds files, comments and asks for a review, and a manager reviews', async () => {
  const { path, add } = await create()
  await add('2026-Q4', { 'CC6.1/users.csv': 'a,b' })
  const item = `${path}/periods/2026-Q4/items/CC6.1`
  const mia = await member(service, 'member', acme.workspaceId, 'mia@acme.example')
  const max = await member(service, 'manager', acme.workspaceId, 'max@acme.example')
  for (const work of [{ comment: 'Here.' }, { status: 'to_review' }])
    assert.equal((await mia.send('PATCH', item, work)).status, 200)
  for (const change of [{ status: 'accepted' }, { owner: null }, { due_at: '2026-12-01' }])
    assert.equal((await mia.send('PATCH', item, change)).json['code'], 'role_insufficient')
  for (const [method, at] of [
    ['POST', `${path}/periods`],
    ['POST', `${path}/periods/2026-Q4/seal`],
    ['PATCH', path],
  ] as const)
    assert.equal((await mia.send(method, at, {})).json['code'], 'role_insufficient')
  assert.equal((await max.send('PATCH', item, { status: 'accepted' })).status, 200)
})

test('the overview of an owner lists their items that wait, the next due first, and periods that failed', async () => {
  const omar = await member(service, 'member', acme.workspaceId, 'omar@acme.example')
  const owner = 'omar@acme.example'
  const items = [
    { item_id: 'L', title: 'Later', owner, due_days: 20 },
    { item_id: 'S', title: 'Soon', owner, due_days: 5 },
    { item_id: 'O', title: 'Of others' },
  ]
  const { path, add, change } = await create({ name: 'Mine', items })
  const rows = async () =>
    ((await omar.get('/v1/overview')).json['waiting'] as { what: string; title: string; item_id: string }[])
      .filter(({ title }) => title.startsWith('Mine'))
      .map(({ what, item_id }) => `${what} ${item_id}`)
  assert.deepEqual(await rows(), ['item S', 'item L'])
  await add('2026-Q4', { 'S/tool.txt': `MZ${'\0'.repeat(300)}` })
  assert.deepEqual(await rows(), ['item L'], 'and the draft is not listed either')
  await change('2026-Q4', 'L', { due_at: '2026-11-01' })
  await change('2026-Q4', 'S', { status: 'needs_changes' })
  assert.deepEqual(await rows(), ['item_late L', 'item_sent_back S'])
  const { json } = await send<Period>('POST', `${path}/periods/2026-Q4/seal`, {})
  await acme.ended(json.submission_id)
  assert.deepEqual(await rows(), ['period_failed null', 'item_late L', 'item_sent_back S'])
})

test('programs are listed with their newest period and what is late', async () => {
  const { program, change } = await create({ name: 'Listed' })
  await change('2026-Q4', 'CC6.2', { due_at: '2026-11-01' })
  const { json } = await send<ProgramList>('GET', '/v1/programs?limit=1')
  const [listed] = json.data
  assert.deepEqual(
    [
      listed?.program_id,
      listed?.period?.period,
      listed?.late,
      listed?.item_count,
      listed?.next_due_at?.slice(0, 10),
    ],
    [program.program_id, '2026-Q4', 1, 4, '2026-11-01'],
  )
})

test('a period is sealed before it begins only on request', async () => {
  const { path, period } = await create({ starts_on: '2026-12-01', items: ITEMS.slice(0, 2) })
  const { json } = await send<Period>('POST', `${path}/periods`, {})
  await acme.upload(json.submission_id, form({ 'CC6.1/users.csv': 'a,b' }, { final: false }))
  const early = await send('POST', `${path}/periods/2026-Q4/seal`, {})
  assert.deepEqual([early.status, early.json['code']], [409, 'period_not_begun'])
  assert.match(String(early.json['message']), /begins on 2026-12-01/)
  assert.equal((await send('POST', `${path}/periods/2026-Q4/seal`, { early: true })).status, 202)
  await acme.ended(json.submission_id)
  assert.equal((await period('2026-Q4')).status, 'sealed')
})

test('a program that starts in the past says how many periods it does not make', async () => {
  const { program, board } = await create({ starts_on: '2026-01-18' })
  assert.equal(program.skipped_periods, 3)
  assert.deepEqual(
    (await board()).periods.map(({ period, from }) => [period, from]),
    [['2026-Q4', '2026-10-18']],
  )
  assert.equal((await create()).program.skipped_periods, 0)
})

test('comments of a period are listed in pages', async () => {
  const { path, change } = await create()
  for (const comment of ['One.', 'Two.']) await change('2026-Q4', 'CC6.1', { comment })
  const { json } = await send<{ data: { text: string; by: string }[]; next_cursor: string }>(
    'GET',
    `${path}/periods/2026-Q4/comments?limit=1`,
  )
  assert.deepEqual([json.data[0]?.text, json.data[0]?.by], ['Two.', 'requester'])
})

// Last: it moves the clock, and drafts expire.
test('periods open when they start, once on any number of nodes, and missed ones are skipped', async () => {
  const { board, path } = await create({ starts_on: '2026-11-20', cadence: 'monthly' })
  const ended = await create({ starts_on: '2026-11-20' })
  await send('PATCH', ended.path, { ended: true })
  const periods = async () => (await board()).periods.map(({ period }) => period)
  await using other = await testService(sameStore(service), { now: () => nowMs })
  const runEverywhere = async () => {
    for (const node of [service, other]) await node.service.runDue()
  }
  await runEverywhere()
  assert.deepEqual(await periods(), [], 'not yet')
  nowMs = Date.UTC(2026, 10, 20, 8)
  await runEverywhere()
  assert.deepEqual(await periods(), ['2026-11'])
  nowMs = Date.UTC(2027, 2, 21)
  await runEverywhere()
  await runEverywhere()
  const { program } = await board()
  assert.deepEqual([await periods(), program.next_period_on], [['2027-03', '2026-11'], '2027-04-20'])
  assert.deepEqual((await ended.board()).periods, [])
  assert.equal((await send('GET', path)).status, 200)
})

const day = (days: number): string => new Date(nowMs + days * 86_400_000).toISOString().slice(0, 10)

test('items of a period that began before its program was created are due from its creation', async () => {
  const { period } = await create({ name: 'Backups', cadence: 'none', starts_on: day(-40) })
  const { items } = await period('1')
  assert.deepEqual(
    items.map((item) => [item.due_at.slice(0, 10), item.is_late]),
    [14, 3, 30, 30].map((days) => [day(days), false]),
  )
})
