import type { SubmissionSummary } from '@kitseal/client'
import { gapsIn } from '@kitseal/kit'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { BackLink, Card, Empty, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { queryText } from '../../query-text.ts'
import { api } from '../client.ts'
import { NewSubmission } from '../new-submission.tsx'
import { Compared } from '../compare/compared.tsx'
import { QueryState } from '../problem.tsx'
import { RoomButton } from '../rooms/room-button.tsx'
import { StageBadge } from '../stage-badge.tsx'

/** All series, or the timeline of one. */
export function SeriesPage({ name }: { readonly name: string | null }) {
  return name === null || name === '' ? <AllSeries /> : <OneSeries name={name} />
}

const hrefOf = (name: string): string => `/console/series${queryText({ name })}`

function AllSeries() {
  const list = useQuery({ queryKey: ['series'], queryFn: () => api.listSeries({ limit: 100 }) })
  const t = texts.console.series
  const series = list.data?.data ?? []
  return (
    <>
      <Heading title={texts.console.titles.series} lead={t.lead} />
      <QueryState query={list} />
      {list.data !== undefined && series.length === 0 && (
        <EmptyCard icon="clock" {...t.none} action={<NewSubmission />} />
      )}
      {series.length > 0 && (
        <Card className="flush">
          <RowTable
            rows={series}
            keyOf={({ series: name }) => name}
            columns={[
              {
                name: t.columns.series,
                of: 'titles',
                cell: ({ series: name }) => (
                  <Link href={hrefOf(name)} className="row-link">
                    {nameText(name)}
                  </Link>
                ),
              },
              { name: t.columns.kits, className: 'quiet nowrap', cell: ({ kits }) => t.kits(kits) },
              {
                name: t.columns.last,
                className: 'quiet nowrap',
                cell: ({ last_at }) => <Time at={last_at} as="ago" />,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

function OneSeries({ name }: { readonly name: string }) {
  const list = useQuery({
    queryKey: ['submissions', 'series', name],
    queryFn: () => api.listSubmissions({ series: name, limit: 100 }),
  })
  const timeline = useQuery({
    queryKey: ['series', name],
    queryFn: () => api.getSeries(name, { limit: 1 }),
  })
  const t = texts.console.series
  const due = timeline.data?.next_due_at ?? null
  const rows = list.data?.data ?? []
  const kits = rows.filter(({ kit_id, replaced_by }) => kit_id !== null && replaced_by === null)
  const gaps = gapsIn(kits.map(({ created_at }) => created_at))
  return (
    <>
      <BackLink href="/console/series">{t.all}</BackLink>
      <Heading title={nameText(name)} lead={t.lead} actions={<RoomButton series={name} />} />
      <QueryState query={list} />
      {list.data !== undefined && (
        <section className="card">
          {due !== null && (
            <p>
              {t.due} <Time at={due} as="day" />
            </p>
          )}
          {rows.length === 0 && (
            <Empty icon="clock" title={t.none.title}>
              {t.none.text}
            </Empty>
          )}
          <ol className="series">
            {rows.map((row) => {
              const at = kits.indexOf(row)
              const before = at === -1 ? undefined : kits[at + 1]
              const gap = at === -1 ? undefined : gaps[at]
              return (
                <Fragment key={row.submission_id}>
                  <Step row={row} before={before} isFirst={at === kits.length - 1} />
                  {gap !== undefined && <li className="gap">{t.gap(gap)}</li>}
                </Fragment>
              )
            })}
          </ol>
        </section>
      )}
    </>
  )
}

interface StepProps {
  readonly row: SubmissionSummary
  readonly before: SubmissionSummary | undefined
  readonly isFirst: boolean
}

function Step({ row, before, isFirst }: StepProps) {
  const [isOpen, setOpen] = useState(false)
  const t = texts.console.series
  return (
    <li>
      <Time at={row.created_at} as="day" />
      <div>
        <Link href={`/console/submissions/${row.submission_id}`} className="row-link">
          {row.label}
        </Link>{' '}
        <StageBadge stage={row.stage} accepted={row.accepted} />
        <p className="quiet">
          {texts.console.files(row.file_count)}
          {before !== undefined && (
            <>
              {' · '}
              <Anchor
                component="button"
                type="button"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? t.hide : t.compare}
              </Anchor>
            </>
          )}
          {isFirst && ` · ${t.first}`}
        </p>
        {isOpen && before?.kit_id != null && row.kit_id !== null && (
          <Compared from={before.kit_id} to={row.kit_id} />
        )}
      </div>
    </li>
  )
}
