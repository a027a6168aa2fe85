import type { ProgramList } from '@kitseal/client'
import { Button, Progress } from '@mantine/core'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { Link, navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { usePoll } from '../live-query.tsx'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { usePages } from '../use-pages.ts'
import '../../styles/requests.css'
import { PROGRAMS } from './programs-key.ts'

type Listed = ProgramList['data'][number]

/** All programs, each with its newest period. */
export function ProgramsPage() {
  const { is: mayCreate } = useAllowed('programs')
  const list = usePages(
    [...PROGRAMS, 'list'],
    (page, options) => api.listPrograms({ ...page, limit: 100 }, options),
    usePoll(),
  )
  const t = texts.console.programs
  const create = mayCreate ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/programs/new')}>
      {texts.console.titles.newProgram}
    </Button>
  ) : undefined
  return (
    <>
      <Heading
        title={texts.console.titles.programs}
        lead={t.lead}
        actions={list.rows.length > 0 ? create : undefined}
      />
      <QueryState query={list} />
      {list.isEmpty && <EmptyCard icon="list" {...t.none} action={create} />}
      {list.rows.length > 0 && (
        <Card className="flush">
          <RowTable
            rows={list.rows}
            keyOf={({ program_id }) => program_id}
            columns={[
              {
                name: t.columns.name,
                of: 'titles',
                cell: ({ program_id, name }) => (
                  <Link href={`/console/programs/${program_id}`} className="row-link">
                    {nameText(name)}
                  </Link>
                ),
                below: ({ cadence, ended_at, item_count }) =>
                  `${ended_at === null ? t.cadences[cadence] : t.ended} · ${t.items(item_count)}`,
              },
              {
                name: t.columns.period,
                className: 'nowrap',
                cell: ({ period }) =>
                  period === null ? '–' : `${period.period} · ${t.board.periods[period.status]}`,
              },
              { name: t.columns.progress, cell: (program) => <Done program={program} /> },
              {
                name: t.columns.due,
                className: 'nowrap',
                cell: ({ next_due_at }) =>
                  next_due_at === null ? (
                    <span className="quiet">{t.nothingDue}</span>
                  ) : (
                    <Time at={next_due_at} as="relative" />
                  ),
                below: ({ late }) =>
                  late === 0 ? null : <span className="bad strong">{t.lateCount(late)}</span>,
              },
            ]}
          />
        </Card>
      )}
      <LoadMore query={list} />
    </>
  )
}

function Done({ program: { period, name } }: { readonly program: Listed }) {
  const t = texts.console.programs
  if (period === null) return null
  const { items, accepted, not_applicable } = period.progress
  const done = accepted + not_applicable
  return (
    <div className="request-progress">
      <span className="nowrap">{t.accepted(done, items)}</span>
      <Progress value={(done / Math.max(1, items)) * 100} aria-label={t.acceptedLabel(name)} />
    </div>
  )
}
