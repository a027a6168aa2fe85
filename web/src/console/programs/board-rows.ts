import type { ProgramBoard } from '@kitseal/client'
import { dateLanguage } from '../../core/language.ts'

export type Cell = ProgramBoard['cells'][number]
export type BoardPeriod = ProgramBoard['periods'][number]

/** An item with its cells, in the order of the periods. */
export interface BoardRow {
  readonly itemId: string
  readonly title: string
  readonly owner: string | null
  readonly cells: readonly (Cell | undefined)[]
}

/** One row for each item of the program or of a shown period: late ones first, then what is due next, then what is done. */
export function boardRows({ program, periods, cells }: Pick<ProgramBoard, 'program' | 'periods' | 'cells'>) {
  const byItem = Map.groupBy(cells, ({ item_id }) => item_id)
  const own = new Map(program.items.map((item) => [item.item_id, item]))
  const ids = [...new Set([...own.keys(), ...byItem.keys()])]
  const rows = ids.map((itemId): BoardRow => {
    const inPeriod = new Map(byItem.get(itemId)?.map((cell) => [cell.period, cell]))
    const ordered = periods.map(({ period }) => inPeriod.get(period))
    const newest = ordered.find((cell) => cell !== undefined)
    const { title, owner } = newest ?? own.get(itemId) ?? { title: itemId, owner: null }
    return { itemId, title, owner, cells: ordered }
  })
  const keys = new Map(rows.map((row) => [row, sortKey(row)]))
  // The order of the program decides between equals.
  return rows.toSorted((a, b) =>
    (keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : Number(keys.get(a) !== keys.get(b)),
  )
}

const RANKS: Readonly<Record<Cell['status'], number>> = {
  missing: 1,
  needs_changes: 1,
  collected: 1,
  to_review: 2,
  accepted: 3,
  not_applicable: 3,
}

/** By the newest period that has the item. */
function sortKey({ cells }: BoardRow): string {
  const cell = cells.find((each) => each !== undefined)
  if (cell === undefined) return '4'
  return cell.is_late ? `0 ${cell.due_at}` : `${RANKS[cell.status]} ${cell.due_at}`
}

/** The items of an owner. Empty: without one. */
export const ofOwner = (rows: readonly BoardRow[], wanted: string): readonly BoardRow[] =>
  rows.filter(({ owner }) => (owner ?? '') === wanted)

const SHORT_DAY = new Intl.DateTimeFormat(dateLanguage, { day: 'numeric', month: 'short' })

export const shortDay = (at: string): string => SHORT_DAY.format(new Date(at))
