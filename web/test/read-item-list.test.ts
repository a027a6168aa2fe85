import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { xlsx } from '../../examiner/test/make-xlsx.ts'
import { type ItemList, readItemList } from '../src/console/items/read-item-list.ts'

const csv = (text: string, isProgram = false): Promise<ItemList> =>
  readItemList({ name: 'list.csv', bytes: new TextEncoder().encode(text), isProgram })
const program = (text: string): Promise<ItemList> => csv(text, true)

const itemsOf = (list: ItemList) => {
  assert.ok(list.ok, JSON.stringify(list))
  return list.items
}
const problemsOf = (list: ItemList): string => {
  assert.ok(!list.ok)
  return list.problems.join('\n')
}

test('a CSV list is read, with quotes, line breaks and any separator', async () => {
  const items = itemsOf(
    await csv(
      'Control ID;Title;Details;Due date\r\nCC6.1;"Users; all of them";"one\ntwo ""x""";2026-12-01\r\n\r\nCC6.2;Plain;;\r\n',
    ),
  )
  assert.deepEqual(items, [
    {
      id: 'CC6.1',
      title: 'Users; all of them',
      description: 'one\ntwo "x"',
      due_at: '2026-12-01T23:59:59.000Z',
    },
    { id: 'CC6.2', title: 'Plain' },
  ])
})

test('columns can have other names and any order, and rows are numbered without an ID', async () => {
  assert.deepEqual(itemsOf(await csv('Deadline,Name\n01.02.2027,One\n,Two\n')), [
    { id: '1', title: 'One', due_at: '2027-02-01T23:59:59.000Z' },
    { id: '2', title: 'Two' },
  ])
})

test('a list may have German column names, a heading above them, and sheets before it', async () => {
  const rows = [
    ['Anforderungsliste 2026', ''],
    ['', ''],
    ['Lfd. Nr.', 'Bezeichnung', 'Erläuterung', 'Fällig am'],
    ['A-1', 'Benutzerliste', 'Alle Konten', 46_357],
  ] as const
  const expected = [
    { id: 'A-1', title: 'Benutzerliste', description: 'Alle Konten', due_at: '2026-12-01T23:59:59.000Z' },
  ]
  for (const bytes of [xlsx(rows), xlsx([['About this workbook']], rows)])
    assert.deepEqual(itemsOf(await readItemList({ name: 'liste.xlsx', bytes })), expected)
  assert.deepEqual(itemsOf(await csv('sep=;\r\nTitel;Frist\r\n"a, b";1.2.2027\r\n')), [
    { id: '1', title: 'a, b', due_at: '2027-02-01T23:59:59.000Z' },
  ])
  const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from('Titel\tHinweis\nPrüfung\tx\n', 'utf16le')])
  assert.deepEqual(itemsOf(await readItemList({ name: 'a.csv', bytes: utf16 })), [
    { id: '1', title: 'Prüfung', description: 'x' },
  ])
  const wrong = problemsOf(await readItemList({ name: 'a.xlsx', bytes: xlsx([['Who', 'When']]) }))
  assert.match(wrong, /There is no column "title"\. The first row has: Who, When\./)
})

test('an ID that is no folder name is made one', async () => {
  const [item] = itemsOf(await csv('id,title\nA/1: x.,One\n'))
  assert.equal(item?.id, 'A-1- x')
})

test('problems name the row of the spreadsheet', async () => {
  const problems = problemsOf(await csv('id,title,due\nA,One,31/31/2026\n,Two,\na,Three,\nCON,,\n'))
  assert.equal(
    problems,
    [
      'Row 2: the due date "31/31/2026" is not a date such as 2026-12-01',
      'Row 3: the ID is missing',
      'Row 5: the ID "CON" contains the Windows device name "CON"',
      'Row 5: the title is missing',
      'Row 4: the ID "a" is used above',
    ].join('\n'),
  )
  assert.match(problemsOf(await csv('a,b\n1,2\n')), /no column "title"/)
  assert.match(problemsOf(await csv('id,title\n')), /no rows/)
  assert.match(problemsOf(await csv('')), /It is empty/)
  assert.match(problemsOf(await csv('id,title\n1,"open\n')), /quoted field in row 2 is not closed/)
  assert.match(problemsOf(await csv(`id,title\n${'x,y\n'.repeat(501)}`)), /501 rows/)
})

test('a date with slashes is refused, because it can be two dates', async () => {
  assert.match(problemsOf(await csv('id,title,due\n1,One,3/4/2026\n')), /not a date such as 2026-12-01/)
})

test('an XLSX list is read, with dates', async () => {
  const bytes = xlsx([
    ['ID', 'Title', 'Description', 'Due'],
    ['CC6.1', 'Users & roles', 'All accounts', 46_357],
    ['CC6.2', 'Approvals', '', ''],
  ])
  assert.deepEqual(itemsOf(await readItemList({ name: 'list.xlsx', bytes })), [
    { id: 'CC6.1', title: 'Users & roles', description: 'All accounts', due_at: '2026-12-01T23:59:59.000Z' },
    { id: 'CC6.2', title: 'Approvals' },
  ])
})

test('a file that is no list is refused in plain words', async () => {
  const zip = zipSync({ 'a.txt': strToU8('a') })
  assert.match(
    problemsOf(await readItemList({ name: 'list.xlsx', bytes: zip })),
    /cannot be read.*XLSX or CSV/,
  )
  const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])
  assert.match(problemsOf(await readItemList({ name: 'list.xls', bytes: old })), /not an XLSX file/)
  const large = new Uint8Array(5 * 1024 * 1024)
  assert.match(problemsOf(await readItemList({ name: 'list.csv', bytes: large })), /larger than 4 MB/)
})

test('a list for a program names owners, sources, suppliers and days', async () => {
  assert.deepEqual(
    itemsOf(
      await program(
        'id,title,owner,source,recipients,due days\nA,One,ann@acme.example,,,15\nB,Two,,Supplier,"x@a.example; y@b.example",\n',
      ),
    ),
    [
      { id: 'A', title: 'One', owner: 'ann@acme.example', due_days: 15 },
      { id: 'B', title: 'Two', source: 'request', recipients: ['x@a.example', 'y@b.example'] },
    ],
  )
})

test('a source, an address or a number of days that is none is refused with its row', async () => {
  assert.equal(
    problemsOf(await program('title,source,recipients,due days\nOne,fax,,\nTwo,,Ann Smith,\nThree,,,soon\n')),
    [
      'Row 2: the source "fax" is neither "internal" nor "request"',
      'Row 3: "Ann Smith" is not an email address',
      'Row 4: the due days "soon" are not a number from 0 to 3660',
    ].join('\n'),
  )
})

test('a request has no owners and sources, so a list may have any there', async () => {
  assert.deepEqual(itemsOf(await csv('title,source,supplier\nOne,fax,Acme\n')), [{ id: '1', title: 'One' }])
})
