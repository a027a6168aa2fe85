import { type PickedItems, droppedItems } from '@kitseal/kit/in-browser'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type DragEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../core/readable.ts'
import { ITEM_ICONS } from '../../outside/request/item-parts.tsx'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { type BoardPeriod, type BoardRow, type Cell, cellName, shortDay } from './board-rows.ts'

/** A cell of the board. */
export interface Place {
  readonly itemId: string
  readonly period: string
}

export interface BoardGridProps {
  readonly name: string
  readonly rows: readonly BoardRow[]
  readonly periods: readonly BoardPeriod[]
  /** The cell whose dialog is open. Its cell gets the focus back. */
  readonly opened: Place | undefined
  onOpen(place: Place, dropped?: PickedItems): void
}

/** As in programs.css. */
const ROW_HEIGHT = 60
const PAGE_ROWS = 10

/** Rows are items, columns are periods. The rows in view and the active one are rendered; arrow keys reach all. */
export function BoardGrid({ name, rows, periods, opened, onOpen }: BoardGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  /** Column 0 has the names of the items. */
  const [active, setActive] = useState({ itemId: rows[0]?.itemId ?? '', column: 1 })
  const at = Math.max(
    0,
    rows.findIndex(({ itemId }) => itemId === active.itemId),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    // The active row is always there: it has the focus, or is where the tab key enters the board.
    rangeExtractor: (range) => [...new Set([at, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
  })
  useEffect(() => {
    if (!wantsFocus.current) return
    const cell = scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')
    if (cell == null) return
    wantsFocus.current = false
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const wasOpened = useRef(opened)
  useEffect(() => {
    if (wasOpened.current !== undefined && opened === undefined) {
      const column = periods.findIndex(({ period }) => period === wasOpened.current?.period) + 1
      wantsFocus.current = true
      setActive({ itemId: wasOpened.current.itemId, column })
    }
    wasOpened.current = opened
  }, [opened, periods])
  const go = (row: number, column: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, row))
    wantsFocus.current = true
    setActive({
      itemId: rows[to]?.itemId ?? '',
      column: Math.max(0, Math.min(periods.length, column)),
    })
    virtual.scrollToIndex(to)
  }
  const openAt = (itemId: string, column: number, dropped?: PickedItems): void => {
    const period = rows.find((row) => row.itemId === itemId)?.cells[column - 1]?.period
    if (period !== undefined) onOpen({ itemId, period }, dropped)
  }
  const openActive = (): void => openAt(active.itemId, active.column)
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey } = event
    const far = ctrlKey || metaKey
    const { column } = active
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1, column),
      ArrowUp: () => go(at - 1, column),
      ArrowRight: () => go(at, column + 1),
      ArrowLeft: () => go(at, column - 1),
      PageDown: () => go(at + PAGE_ROWS, column),
      PageUp: () => go(at - PAGE_ROWS, column),
      Home: () => go(far ? 0 : at, 0),
      End: () => go(far ? rows.length - 1 : at, periods.length),
      Enter: openActive,
      ' ': openActive,
    }
    if (!(event.target instanceof HTMLElement) || event.target.role === null || moves[key] === undefined)
      return
    event.preventDefault()
    moves[key]()
  }
  return (
    <div className="board" ref={scroller}>
      <div
        role="grid"
        aria-label={t('console.programs.board.grid', { name })}
        aria-rowcount={rows.length + 1}
        aria-colcount={periods.length + 1}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const cell = cellOf(target)
          if (cell !== undefined) setActive({ itemId: cell.itemId, column: cell.column })
        }}
        onClick={({ target }) => {
          const cell = cellOf(target)
          if (cell !== undefined) openAt(cell.itemId, cell.column)
        }}
        onDragOver={(event) => onDrag(event, true)}
        onDragLeave={(event) => onDrag(event, false)}
        onDrop={(event) => {
          onDrag(event, false)
          const cell = cellOf(event.target)
          if (cell === undefined) return
          void droppedItems(event.dataTransfer).then((dropped) => openAt(cell.itemId, cell.column, dropped))
        }}
        style={{ '--periods': periods.length } as object}
      >
        <div role="row" aria-rowindex={1} className="board-head">
          <span role="columnheader" aria-colindex={1} className="board-corner">
            {t('console.programs.board.item')}
          </span>
          {periods.map((period, index) => (
            <PeriodHead key={period.period} period={period} column={index + 2} />
          ))}
        </div>
        <div role="rowgroup" className="board-body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return (
              row !== undefined && (
                <Row
                  key={row.itemId}
                  row={row}
                  periods={periods}
                  index={index}
                  start={start}
                  active={index === at ? active.column : -1}
                />
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  readonly row: BoardRow
  readonly periods: readonly BoardPeriod[]
  readonly index: number
  readonly start: number
  /** The column that has the focus or gets it, or -1. */
  readonly active: number
}

/** The cell that an event is about. */
function cellOf(target: EventTarget) {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  const itemId = element?.closest<HTMLElement>('[data-item]')?.dataset['item']
  if (element === null || itemId === undefined) return undefined
  return { element, itemId, column: Number(element.dataset['column']) }
}

/** Marks the cell that files are dragged over. */
function onDrag(event: DragEvent, isOver: boolean): void {
  const cell = cellOf(event.target)
  if (cell === undefined) return
  event.preventDefault()
  event.nativeEvent.stopPropagation()
  cell.element.classList.toggle('over', isOver)
}

/** Rendered once while it is scrolled: the grid handles its events. */
const Row = memo(({ row, periods, index, start, active }: RowProps) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    className="board-row"
    data-item={row.itemId}
    style={{ transform: `translateY(${start}px)` }}
  >
    <div
      role="rowheader"
      aria-colindex={1}
      data-column={0}
      tabIndex={active === 0 ? 0 : -1}
      title={row.title}
    >
      <span className="board-title">
        <span className="item-id">{nameText(row.itemId)}</span> {nameText(row.title)}
      </span>
      <span className="quiet board-owner">{row.owner ?? t('console.programs.form.noOwner')}</span>
    </div>
    {periods.map((period, at) => (
      <GridCell
        key={period.period}
        name={cellName(row, period, row.cells[at])}
        cell={row.cells[at]}
        column={at + 1}
        isActive={active === at + 1}
      />
    ))}
  </div>
))

function PeriodHead({ period, column }: { readonly period: BoardPeriod; readonly column: number }) {
  const { accepted, not_applicable, items } = period.progress
  return (
    <span role="columnheader" aria-colindex={column} className={`board-period ${period.status}`}>
      <span className="strong">
        {period.kit_id === null ? (
          period.period
        ) : (
          <Link href={`/console/submissions/${period.submission_id}`}>{period.period}</Link>
        )}{' '}
        <span className="quiet">{t(`console.programs.board.periods.${period.status}`)}</span>
      </span>
      <span className="quiet">
        {t('console.programs.accepted', { accepted: accepted + not_applicable, items })}
      </span>
    </span>
  )
}

const DONE: ReadonlySet<Cell['status']> = new Set(['accepted', 'not_applicable'])

function detailsOf({ files, same_files, status, is_late, due_at }: Cell): readonly string[] {
  return [
    ...(files > 0 ? [t('console.files', { count: files })] : []),
    ...(same_files > 0 && same_files === files ? [t('console.programs.board.sameFiles')] : []),
    ...(DONE.has(status)
      ? []
      : [
          t(is_late ? 'console.programs.board.late' : 'console.programs.board.due', {
            day: shortDay(due_at),
          }),
        ]),
  ]
}

interface GridCellProps {
  readonly name: string
  readonly cell: Cell | undefined
  readonly column: number
  readonly isActive: boolean
}

function GridCell({ name, cell, column, isActive }: GridCellProps) {
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      data-column={column}
      tabIndex={isActive ? 0 : -1}
      className={`board-cell ${cell?.status ?? 'none'} ${cell?.is_late === true ? 'late' : ''}`}
    >
      <span className="visually-hidden">{name}</span>
      {cell !== undefined && (
        <>
          <span className="board-status" aria-hidden="true">
            <Icon name={ITEM_ICONS[cell.status]} size={14} />
            {t(`console.programs.statuses.${cell.status}`)}
          </span>
          <span className="quiet" aria-hidden="true">
            {detailsOf(cell).join(' · ')}
          </span>
        </>
      )}
    </div>
  )
}
