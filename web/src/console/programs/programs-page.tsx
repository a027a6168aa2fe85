import type { ProgramList } from '@kitseal/client'
import { Button, Progress } from '@mantine/core'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link, navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
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
  const create = mayCreate ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/programs/new')}>
      {t('console.titles.newProgram')}
    </Button>
  ) : undefined
  return (
    <>
      <Heading
        title={t('console.titles.programs')}
        lead={t('console.programs.lead')}
        actions={list.rows.length > 0 ? create : undefined}
      />
      <QueryState query={list} />
      {list.isEmpty && (
        <EmptyCard
          icon="list"
          title={t('console.programs.none.title')}
          text={t('console.programs.none.text')}
          action={create}
        />
      )}
      {list.rows.length > 0 && (
        <Card className="flush">
          <RowTable
            rows={list.rows}
            keyOf={({ program_id }) => program_id}
            columns={[
              {
                name: t('console.programs.columns.name'),
                of: 'titles',
                cell: ({ program_id, name }) => (
                  <Link href={`/console/programs/${program_id}`} className="row-link">
                    {nameText(name)}
                  </Link>
                ),
                below: ({ cadence, ended_at, item_count }) =>
                  `${ended_at === null ? t(`console.programs.cadences.${cadence}`) : t('console.programs.ended')} · ${t('console.programs.items', { count: item_count })}`,
              },
              {
                name: t('console.programs.columns.period'),
                className: 'nowrap',
                cell: ({ period }) =>
                  period === null
                    ? '–'
                    : `${period.period} · ${t(`console.programs.board.periods.${period.status}`)}`,
              },
              { name: t('console.programs.columns.progress'), cell: (program) => <Done program={program} /> },
              {
                name: t('console.programs.columns.due'),
                className: 'nowrap',
                cell: ({ next_due_at }) =>
                  next_due_at === null ? (
                    <span className="quiet">{t('console.programs.nothingDue')}</span>
                  ) : (
                    <Time at={next_due_at} as="relative" />
                  ),
                below: ({ late }) =>
                  late === 0 ? null : (
                    <span className="bad strong">{t('console.programs.lateCount', { count: late })}</span>
                  ),
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
  if (period === null) return null
  const { items, accepted, not_applicable } = period.progress
  const done = accepted + not_applicable
  return (
    <div className="request-progress">
      <span className="nowrap">{t('console.programs.accepted', { accepted: done, items })}</span>
      <Progress
        value={(done / Math.max(1, items)) * 100}
        aria-label={t('console.programs.acceptedLabel', { name })}
      />
    </div>
  )
}
