import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryText, Link, navigate, useLocation } from '../../core/router.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { BackLink, Card, Empty, Heading, Notice, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Menu, NotFound } from '../blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Option, Select } from '../../parts/fields.tsx'
import { LoadMore } from '../../parts/list.tsx'
import { LOOKS } from '../../parts/status.tsx'
import { api } from '../client.ts'
import { isUndecided } from '../items/item-card.tsx'
import { isMissing } from '../../core/fetch-json.ts'
import { askChange, pageAt } from '../queries.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { type BoardPeriod, type BoardRow, boardRows, type Cell, ofOwner, shortDay } from './board-rows.ts'
import { CellDialog, type Place } from './cell-dialog.tsx'
import { PROGRAMS } from './programs-page.tsx'
import { SealDialog } from './seal-dialog.tsx'

export interface BoardPageProps {
  readonly id: string
  /** From a mail about a period: the member's own items come first. */
  readonly period: string | undefined
}

/** The board of a program: its items by period. */
export default function BoardPage({ id, period: mailed }: BoardPageProps) {
  const query = useBoard(id)
  const { searchParams, pathname } = useLocation()
  const me = useMe().member.email
  const [owner, setOwner] = useState<string>(mailed === undefined ? ALL : me)
  const { board } = query
  if (isMissing(query.error)) return <NotFound />
  if (board === undefined) return <QueryState query={query} />
  const { program, periods } = board
  const rows = boardRows(board)
  const shown = owner === ALL ? rows : ofOwner(rows, owner)
  const [itemId, period] = [searchParams.get('item'), searchParams.get('period')]
  const opened = itemId === null || period === null ? undefined : { itemId, period }
  const open = (place: Place | undefined): void =>
    navigate(
      `${pathname}${queryText(place === undefined ? {} : { period: place.period, item: place.itemId })}`,
      { replace: true },
    )
  return (
    <>
      <BackLink href="/console/programs">{t('console.programs.all')}</BackLink>
      <Heading
        title={nameText(program.name)}
        lead={`${t(`console.programs.cadences.${program.cadence}`)} · ${t('console.programs.items', { count: program.items.length })}`}
        actions={<Actions board={board} />}
      />
      {program.ended_at !== null && <Notice tone="info">{t('console.programs.endedNotice')}</Notice>}
      {periods.map((each) => (
        <PeriodNotice key={each.period} period={each} />
      ))}
      <Card>
        {periods.length === 0 ? (
          <Empty icon="clock" title={t('console.programs.board.noPeriods.title')}>
            {program.next_period_on === null
              ? t('console.programs.board.noPeriods.byHand')
              : t('console.programs.board.noPeriods.text', { day: program.next_period_on })}
          </Empty>
        ) : (
          <>
            <div className="row">
              {t('console.programs.board.filter')}
              <Select
                label={t('console.programs.board.filter')}
                value={owner}
                options={ownerOptions(rows, me)}
                onChange={setOwner}
              />
            </div>
            {shown.length === 0 ? (
              <p className="quiet">{t('console.programs.board.noRows')}</p>
            ) : (
              <BoardTable name={program.name} rows={shown} periods={periods} onOpen={open} />
            )}
          </>
        )}
      </Card>
      <LoadMore query={query} />
      {opened !== undefined && (
        <CellDialog
          key={`${opened.period} ${opened.itemId}`}
          programId={id}
          place={opened}
          next={nextToReview(shown, opened)}
          onGo={open}
        />
      )}
    </>
  )
}

const PERIODS_AT_ONCE = 12

/** The newest periods, and older ones on demand. */
function useBoard(id: string) {
  const query = useInfiniteQuery({
    queryKey: [...PROGRAMS, id],
    queryFn: ({ pageParam }) => api.getProgramBoard(id, { ...pageAt(pageParam), limit: PERIODS_AT_ONCE }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
  const [first, ...older] = query.data?.pages ?? []
  const board = first && {
    program: first.program,
    periods: [first, ...older].flatMap(({ periods }) => periods),
    cells: [first, ...older].flatMap(({ cells }) => cells),
  }
  return { ...query, board }
}

type Board = NonNullable<ReturnType<typeof useBoard>['board']>

/** The next row below, or from the top, whose files nobody has accepted. */
function nextToReview(rows: readonly BoardRow[], { itemId, period }: Place): Place | undefined {
  const at = rows.findIndex((row) => row.itemId === itemId)
  const next = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))].find(({ cells }) =>
    cells.some(
      (cell) => cell?.period === period && (cell.status === 'to_review' || cell.status === 'collected'),
    ),
  )
  return next && { itemId: next.itemId, period }
}

const ALL = '*'

/** Whose items are shown: an address, empty for items without an owner, or all. */
function ownerOptions(rows: readonly BoardRow[], me: string): readonly Option[] {
  const others = [...new Set(rows.flatMap(({ owner }) => owner ?? []))].filter((owner) => owner !== me)
  return [
    { value: ALL, label: t('console.programs.board.owners.all') },
    { value: me, label: t('console.programs.board.owners.mine') },
    ...others.toSorted().map((owner) => ({ value: owner, label: owner })),
    { value: '', label: t('console.programs.board.owners.none') },
  ]
}

interface BoardTableProps {
  readonly name: string
  readonly rows: readonly BoardRow[]
  readonly periods: readonly BoardPeriod[]
  onOpen(place: Place): void
}

/** Rows are items, columns are periods. The head and the first column stay in view. */
function BoardTable({ name, rows, periods, onOpen }: BoardTableProps) {
  return (
    <div className="board" role="region" aria-label={t('console.programs.board.grid', { name })} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('console.programs.board.item')}</th>
            {periods.map((period) => (
              <PeriodHead key={period.period} period={period} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.itemId}>
              <th scope="row" title={row.title}>
                <span className="item-id">{nameText(row.itemId)}</span> {nameText(row.title)}
                <span className="quiet below">{row.owner ?? t('console.programs.form.noOwner')}</span>
              </th>
              {periods.map((period, at) => (
                <BoardCell
                  key={period.period}
                  name={`${row.title}, ${period.period},`}
                  cell={row.cells[at]}
                  onOpen={() => onOpen({ itemId: row.itemId, period: period.period })}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PeriodHead({
  period: { period, status, kit_id, submission_id, progress },
}: {
  readonly period: BoardPeriod
}) {
  const { accepted, not_applicable, items } = progress
  return (
    <th scope="col">
      {kit_id === null ? period : <Link href={`/console/submissions/${submission_id}`}>{period}</Link>}{' '}
      <span className="quiet">{t(`console.programs.board.periods.${status}`)}</span>
      <span className="quiet below">
        {t('console.programs.accepted', { accepted: accepted + not_applicable, items })}
      </span>
    </th>
  )
}

interface BoardCellProps {
  readonly name: string
  readonly cell: Cell | undefined
  onOpen(): void
}

function BoardCell({ name, cell, onOpen }: BoardCellProps) {
  if (cell === undefined)
    return (
      <td className="none">
        <span className="visually-hidden">{t('console.programs.board.notIn')}</span>
      </td>
    )
  const { status, is_late, files, same_files, due_at } = cell
  const late = is_late ? 'console.programs.board.late' : 'console.programs.board.due'
  const details = [
    ...(files > 0 ? [t('console.files', { count: files })] : []),
    ...(same_files > 0 && same_files === files ? [t('console.programs.board.sameFiles')] : []),
    ...(isUndecided(status) ? [t(late, { day: shortDay(due_at) })] : []),
  ]
  return (
    <td>
      <button
        type="button"
        className={`bare board-cell ${is_late ? 'fail' : LOOKS.item[status].tone}`}
        onClick={onOpen}
      >
        <span className="visually-hidden">{name} </span>
        <span className="strong">
          <Icon name={LOOKS.item[status].icon} size={14} /> {t(`console.items.statuses.${status}`)}
        </span>
        <span className="below">{details.join(' · ')}</span>
      </button>
    </td>
  )
}

function PeriodNotice({
  period: { period, status, failed_submission_id },
}: {
  readonly period: BoardPeriod
}) {
  if (status === 'sealing') return <Notice tone="info">{t('console.programs.sealing', { period })}</Notice>
  if (status !== 'failed') return null
  return (
    <Notice tone="fail">
      {t('console.programs.failed', { period })}{' '}
      {failed_submission_id !== null && (
        <Link href={`/console/submissions/${failed_submission_id}`}>{t('console.programs.seeFindings')}</Link>
      )}
    </Notice>
  )
}

function Actions({ board: { program, periods, cells } }: { readonly board: Board }) {
  const { is: mayChange } = useAllowed('programs')
  const { sends_mail: sendsMail } = useMe()
  const [isSealing, setIsSealing] = useState(false)
  const { program_id: id } = program
  const canChange = mayChange && program.ended_at === null
  // The oldest one that is not sealed is the one to finish.
  const toSeal = periods.findLast(({ status }) => status === 'open' || status === 'failed')
  const ofPeriod = cells.filter(({ period }) => period === toSeal?.period)
  // What a supplier is still working on cannot be accepted.
  const asked = new Set(program.items.flatMap(({ item_id, source }) => (source === 'request' ? item_id : [])))
  const toAccept = ofPeriod.filter(
    ({ status, item_id }) => status === 'to_review' || (status === 'collected' && !asked.has(item_id)),
  )
  const sealed = periods.find(({ kit_id }) => kit_id !== null)
  const confirm = (what: 'next' | 'end'): void =>
    askChange({
      texts: `console.programs.${what}`,
      args: { isMailed: sendsMail },
      isDangerous: what === 'end',
      stale: PROGRAMS,
      run: async () =>
        void (await (what === 'next' ? api.openPeriod(id) : api.changeProgram(id, { ended: true }))),
    })
  const acceptAll = (period: string): void =>
    askChange({
      texts: 'console.programs.accept',
      args: { count: toAccept.length, period },
      stale: PROGRAMS,
      run: async () => {
        for (const { item_id } of toAccept)
          await api.changePeriodItem(id, period, item_id, { status: 'accepted' })
      },
    })
  return (
    <>
      {mayChange && toSeal !== undefined && (
        <Button look="main" icon="shield" onClick={() => setIsSealing(true)}>
          {t('console.programs.actions.seal', { period: toSeal.period })}
        </Button>
      )}
      {sealed !== undefined && (
        <Button
          look={toSeal === undefined ? 'main' : 'plain'}
          onClick={() => navigate(`/console/submissions/${sealed.submission_id}`)}
        >
          {t('console.programs.actions.kit', { period: sealed.period })}
        </Button>
      )}
      <Menu
        label={t('console.programs.actions.more')}
        items={[
          mayChange &&
            toSeal !== undefined &&
            toAccept.length > 0 && {
              text: t('console.programs.actions.accept', { count: toAccept.length }),
              run: () => acceptAll(toSeal.period),
            },
          canChange && { text: t('console.programs.actions.next'), run: () => confirm('next') },
          canChange && {
            text: t('console.programs.actions.edit'),
            run: () => navigate(`/console/programs/${id}/edit`),
          },
          canChange && {
            text: t('console.programs.actions.end'),
            isDangerous: true,
            run: () => confirm('end'),
          },
        ]}
      >
        {t('console.programs.actions.more')}
      </Menu>
      {isSealing && toSeal !== undefined && (
        <SealDialog programId={id} period={toSeal} cells={ofPeriod} onClose={() => setIsSealing(false)} />
      )}
    </>
  )
}
