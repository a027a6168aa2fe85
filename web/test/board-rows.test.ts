import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boardRows, type Cell, ofOwner } from '../src/console/programs/board-rows.ts'
import {
  draftOf,
  firstDay,
  importedItems,
  programItems,
  strangersIn,
} from '../src/console/items/item-drafts.ts'

type Board = Parameters<typeof boardRows>[0]

const item = (item_id: string, owner: string | null = null) => ({
  item_id,
  title: `Title ${item_id}`,
  description: null,
  owner,
  source: 'internal' as const,
  recipients: [],
  due_days: 90,
})

const cell = (item_id: string, change: Partial<Cell> = {}): Cell => ({
  period: '2026-Q4',
  item_id,
  title: `Title ${item_id}`,
  owner: null,
  status: 'missing',
  due_at: '2027-01-15T12:00:00.000Z',
  is_late: false,
  files: 0,
  same_files: 0,
  ...change,
})

function boardOf(cells: readonly Cell[], items = ['a', 'b', 'c', 'd', 'e'].map((id) => item(id))): Board {
  const periods = [{ period: '2026-Q4' }, { period: '2026-Q3' }]
  return { program: { items }, periods, cells } as unknown as Board
}

test('late items come first, then what is due next, then what is to review, then what is done', () => {
  const rows = boardRows(
    boardOf([
      cell('a', { status: 'accepted', due_at: '2026-01-01T00:00:00.000Z' }),
      cell('b', { due_at: '2027-02-01T00:00:00.000Z' }),
      cell('c', { status: 'to_review', due_at: '2026-11-01T00:00:00.000Z' }),
      cell('d'),
      cell('e', { is_late: true, due_at: '2027-03-01T00:00:00.000Z' }),
    ]),
  )
  assert.deepEqual(
    rows.map(({ itemId }) => itemId),
    ['e', 'd', 'b', 'c', 'a'],
  )
})

test('an item that only an older period has keeps its row, and its cells stay in their periods', () => {
  const [gone] = boardRows(boardOf([cell('z', { period: '2026-Q3', title: 'Gone' })], []))
  assert.deepEqual(
    [gone?.itemId, gone?.title, gone?.cells.map((each) => each?.period)],
    ['z', 'Gone', [undefined, '2026-Q3']],
  )
})

test('rows are filtered by owner', () => {
  const rows = boardRows(
    boardOf([cell('a', { owner: 'ann@acme.example' }), cell('b')], [item('a'), item('b')]),
  )
  const ids = (owner: string) => ofOwner(rows, owner).map(({ itemId }) => itemId)
  assert.deepEqual([ids('ann@acme.example'), ids(''), ids('bob@acme.example')], [['a'], ['b'], []])
})

const MEMBERS = [
  { email: 'ann@acme.example', name: 'Ann Smith' },
  { email: 'bob@acme.example', name: null },
] as const

test('owners in a list are found by name or address; of others, addresses can be invited', () => {
  const items = importedItems(
    [
      { id: '1', title: 'One', owner: 'ann smith' },
      { id: '2', title: 'Two', owner: 'BOB@acme.example', due_days: 15 },
      { id: '3', title: 'Three', owner: 'Carl' },
      { id: '5', title: 'Five', owner: 'dora@acme.example' },
      { id: '6', title: 'Six', owner: 'Vera@acme.example' },
      { id: '4', title: 'Four', recipients: ['x@sup.example'], due_at: '2026-10-11T23:59:59.000Z' },
    ],
    MEMBERS,
    '2026-10-01',
  )
  assert.deepEqual(strangersIn(items, MEMBERS, [{ email: 'vera@acme.example', name: null }]), {
    addresses: ['dora@acme.example'],
    viewers: ['Vera@acme.example'],
    names: ['Carl'],
  })
  assert.deepEqual(
    programItems(items, 'quarterly').map(({ owner, source, recipients, due_days }) => [
      owner,
      source,
      recipients,
      due_days,
    ]),
    [
      ['ann@acme.example', 'internal', undefined, 90],
      ['bob@acme.example', 'internal', undefined, 15],
      ['Carl', 'internal', undefined, 90],
      ['dora@acme.example', 'internal', undefined, 90],
      ['Vera@acme.example', 'internal', undefined, 90],
      [undefined, 'request', ['x@sup.example'], 10],
    ],
  )
})

test('an item that is edited and not changed stays as it is', () => {
  const before = { ...item('a', 'ann@acme.example'), description: 'Why' }
  const { recipients, ...kept } = before
  assert.deepEqual(programItems([draftOf(before)], 'monthly'), [kept])
  assert.deepEqual(recipients, [])
})

test('the first period starts with the current month, quarter, half-year or year', () => {
  const today = new Date('2026-11-18T10:00:00Z')
  assert.deepEqual(
    (['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const).map((cadence) =>
      firstDay(cadence, today),
    ),
    ['2026-11-01', '2026-10-01', '2026-07-01', '2026-01-01', '2026-11-18'],
  )
})
