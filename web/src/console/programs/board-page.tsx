import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button, Menu, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { BackLink, EmptyCard, Heading, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../core/readable.ts'
import { queryText } from '../../core/query-text.ts'
import { Link, navigate, useLocation } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { usePoll } from '../live-query.tsx'
import { LoadMore } from '../load-more.tsx'
import { NotFound } from '../not-found.tsx'
import { isMissing, QueryState } from '../problem.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { pageAt } from '../use-pages.ts'
import '../../styles/programs.css'
import '../../styles/request.css'
import '../../styles/requests.css'
import { BoardGrid, type Place } from './board-grid.tsx'
import { type BoardPeriod, type BoardRow, boardRows, ofOwner, type OwnerFilter } from './board-rows.ts'
import { CellDialog } from './cell-dialog.tsx'
import { PROGRAMS } from './programs-key.ts'
import { SealDialog } from './seal-dialog.tsx'

export interface BoardPageProps {
  readonly id: string
  /** From a mail about a period: the member's own items come first. */
  readonly isMine: boolean
}

/** The board of a program: its items by period. */
export function BoardPage({ id, isMine }: BoardPageProps) {
  const query = useBoard(id)
  const { searchParams, pathname } = useLocation()
  const me = useMe().member.email
  const [filter, setFilter] = useState<OwnerFilter>(isMine ? 'mine' : 'all')
  const [dropped, setDropped] = useState<PickedItems>()
  const board = query.board
  const rows = useStableRows(board)
  const shown = useMemo(() => ofOwner(rows, filter, me), [rows, filter, me])
  const [itemId, period] = [searchParams.get('item'), searchParams.get('period')]
  const opened = useMemo(
    () => (itemId === null || period === null ? undefined : { itemId, period }),
    [itemId, period],
  )
  const open = (place: Place | undefined, items?: PickedItems): void => {
    setDropped(items)
    navigate(
      `${pathname}${queryText(place === undefined ? {} : { period: place.period, item: place.itemId })}`,
      {
        replace: true,
      },
    )
  }
  if (isMissing(query.error)) return <NotFound />
  if (board === undefined) return <QueryState query={query} />
  const { program, periods } = board
  return (
    <>
      <BackLink href="/console/programs">{t('console.programs.all')}</BackLink>
      <Heading
        title={nameText(program.name)}
        lead={`${t(`console.programs.cadences.${program.cadence}`)} · ${t('console.programs.items', { count: program.items.length })}`}
        actions={<Actions programId={id} board={board} />}
      />
      {program.ended_at !== null && <Notice tone="info">{t('console.programs.endedNotice')}</Notice>}
      {periods.map((each) => (
        <PeriodNotice key={each.period} period={each} />
      ))}
      {periods.length === 0 ? (
        <EmptyCard
          icon="clock"
          title={t('console.programs.board.noPeriods.title')}
          text={
            program.next_period_on === null
              ? t('console.programs.board.noPeriods.byHand')
              : t('console.programs.board.noPeriods.text', { day: program.next_period_on })
          }
        />
      ) : (
        <section className="card board-card">
          <div className="row spread board-tools">
            <OwnerSelect rows={rows} filter={filter} onChange={setFilter} />
            <span className="quiet key-hint">{t('console.programs.board.help')}</span>
          </div>
          {shown.length === 0 ? (
            <p className="quiet">{t('console.programs.board.noRows')}</p>
          ) : (
            <BoardGrid
              key={filter}
              name={program.name}
              rows={shown}
              periods={periods}
              opened={opened}
              onOpen={open}
            />
          )}
        </section>
      )}
      <LoadMore query={query} />
      {opened !== undefined && (
        <CellDialog
          key={`${opened.period} ${opened.itemId}`}
          programId={id}
          place={opened}
          dropped={dropped}
          next={nextToReview(shown, opened)}
          onGo={open}
          onClose={() => open(undefined)}
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
    refetchInterval: usePoll(),
  })
  const pages = query.data?.pages
  const board = useMemo(() => {
    const [first] = pages ?? []
    return first === undefined
      ? undefined
      : {
          program: first.program,
          periods: pages?.flatMap(({ periods }) => periods) ?? [],
          cells: pages?.flatMap(({ cells }) => cells) ?? [],
        }
  }, [pages])
  return { ...query, board }
}

type Board = NonNullable<ReturnType<typeof useBoard>['board']>

/** A review does not move its row while someone works on the board. Other items or another period do. */
function useStableRows(board: Board | undefined): readonly BoardRow[] {
  const order = useRef<{ readonly of: string; readonly ids: readonly string[] }>(undefined)
  return useMemo(() => {
    if (board === undefined) return []
    const rows = boardRows(board)
    const of = JSON.stringify([board.periods[0]?.period, rows.map(({ itemId }) => itemId).toSorted()])
    if (order.current?.of !== of) order.current = { of, ids: rows.map(({ itemId }) => itemId) }
    const byId = new Map(rows.map((row) => [row.itemId, row]))
    return order.current.ids.flatMap((id) => byId.get(id) ?? [])
  }, [board])
}

/** The next row below, or from the top, whose files nobody has accepted. */
function nextToReview(rows: readonly BoardRow[], { itemId, period }: Place): Place | undefined {
  const at = rows.findIndex((row) => row.itemId === itemId)
  const next = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))].find(({ cells }) =>
    cells.some(
      (cell) => cell?.period === period && (cell.status === 'to_review' || cell.status === 'collected'),
    ),
  )
  return next === undefined ? undefined : { itemId: next.itemId, period }
}

interface OwnerSelectProps {
  readonly rows: readonly BoardRow[]
  readonly filter: OwnerFilter
  onChange(filter: OwnerFilter): void
}

function OwnerSelect({ rows, filter, onChange }: OwnerSelectProps) {
  const owners = [...new Set(rows.flatMap(({ owner }) => owner ?? []))].toSorted()
  return (
    <Select
      label={t('console.programs.board.filter')}
      data={[
        { value: 'all', label: t('console.programs.board.owners.all') },
        { value: 'mine', label: t('console.programs.board.owners.mine') },
        ...owners.map((owner) => ({ value: `owner:${owner}`, label: owner })),
        { value: 'none', label: t('console.programs.board.owners.none') },
      ]}
      value={filter}
      allowDeselect={false}
      searchable={owners.length > 8}
      onChange={(value) => value !== null && onChange(value as OwnerFilter)}
    />
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

interface ActionsProps {
  readonly programId: string
  readonly board: Board
}

function Actions({ programId, board }: ActionsProps) {
  const { is: mayChange } = useAllowed('programs')
  const [asking, setAsking] = useState<'accept' | 'seal' | 'next' | 'end'>()
  const { program, periods } = board
  // The oldest one that is not sealed is the one to finish.
  const toSeal = periods.findLast(({ status }) => status === 'open' || status === 'failed')
  const ofPeriod = board.cells.filter(({ period }) => period === toSeal?.period)
  // What a supplier is still working on cannot be accepted.
  const asked = new Set(program.items.flatMap(({ item_id, source }) => (source === 'request' ? item_id : [])))
  const toAccept = ofPeriod.filter(
    ({ status, item_id }) => status === 'to_review' || (status === 'collected' && !asked.has(item_id)),
  )
  const acceptAll = async (period: string): Promise<void> => {
    for (const { item_id } of toAccept)
      await api.changePeriodItem(programId, period, item_id, { status: 'accepted' })
  }
  const sealed = periods.find(({ kit_id }) => kit_id !== null)
  return (
    <>
      {mayChange && toSeal !== undefined && (
        <Button leftSection={<Icon name="shield" />} onClick={() => setAsking('seal')}>
          {t('console.programs.actions.seal', { period: toSeal.period })}
        </Button>
      )}
      {sealed !== undefined && (
        <Button
          variant={toSeal === undefined ? 'filled' : 'default'}
          onClick={() => navigate(`/console/submissions/${sealed.submission_id}`)}
        >
          {t('console.programs.actions.kit', { period: sealed.period })}
        </Button>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} transitionProps={{ duration: 80 }}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="chevron" size={14} className="icon turned" />}>
            {t('console.programs.actions.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChange && toAccept.length > 0 && (
            <Menu.Item onClick={() => setAsking('accept')}>
              {t('console.programs.actions.accept', { count: toAccept.length })}
            </Menu.Item>
          )}
          {mayChange && program.ended_at === null && (
            <>
              <Menu.Item onClick={() => setAsking('next')}>{t('console.programs.actions.next')}</Menu.Item>
              <Menu.Item onClick={() => navigate(`/console/programs/${programId}/edit`)}>
                {t('console.programs.actions.edit')}
              </Menu.Item>
            </>
          )}
          {mayChange && program.ended_at === null && (
            <>
              <Menu.Divider />
              <Menu.Item className="danger" onClick={() => setAsking('end')}>
                {t('console.programs.actions.end')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'seal' && toSeal !== undefined && (
        <SealDialog
          programId={programId}
          period={toSeal}
          cells={ofPeriod}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'accept' && toSeal !== undefined && (
        <ConfirmDialog
          title={t('console.programs.accept.title', { count: toAccept.length, period: toSeal.period })}
          text={t('console.programs.accept.text')}
          action={t('console.programs.accept.action')}
          isDangerous={false}
          stale={PROGRAMS}
          run={() => acceptAll(toSeal.period)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'next' && (
        <ConfirmDialog
          title={t('console.programs.next.title')}
          text={t('console.programs.next.text')}
          action={t('console.programs.next.action')}
          isDangerous={false}
          stale={PROGRAMS}
          run={() => api.openPeriod(programId)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'end' && (
        <ConfirmDialog
          title={t('console.programs.end.title')}
          text={t('console.programs.end.text')}
          action={t('console.programs.end.action')}
          stale={PROGRAMS}
          run={() => api.changeProgram(programId, { ended: true })}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}
