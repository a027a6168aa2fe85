import type { SubmissionSummary } from '@kitseal/client'
import { queryText, navigate, useLocation } from '../../core/router.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Select } from '../../parts/fields.tsx'
import { List } from '../../parts/list.tsx'
import { NewButton, Search } from '../blocks.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { usePages } from '../queries.tsx'
import { NoPasskey } from '../session.tsx'
import { StageStatus } from './stage-status.tsx'
import { useStandsAlone } from './use-submission.ts'

const STATUSES = ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'] as const

/** What people submitted. One search finds names, tags, IDs and file names. */
export default function ListPage() {
  // The search is part of the URL, so that going back restores it.
  const { pathname, searchParams } = useLocation()
  const q = searchParams.get('q')?.slice(0, 200) ?? ''
  const status = STATUSES.find((one) => one === searchParams.get('status'))
  const find = (change: { readonly q?: string; readonly status?: string }): void =>
    navigate(pathname + queryText({ q, status, ...change }), { replace: true })
  const list = usePages(['submissions', { q, status }], (page, options) =>
    api.listSubmissions(
      { ...page, limit: 25, ...(q === '' ? {} : { q }), ...(status === undefined ? {} : { status }) },
      options,
    ),
  )
  const standsAlone = useStandsAlone()
  const rows = list.rows.filter(standsAlone)
  const add = <NewButton to="submit" href="/console/new" text={t('console.list.new')} />
  const isFiltered = q !== '' || status !== undefined
  return (
    <>
      <Heading title={t('console.titles.submissions')} lead={t('console.list.lead')} actions={add} />
      <NoPasskey />
      <div role="search" className="beside">
        <Search
          label={t('console.list.search')}
          hint={t('console.list.searchPlaceholder')}
          value={q}
          onSearch={(text) => find({ q: text })}
        />
        <Select
          label={t('console.list.status')}
          value={status ?? ''}
          options={[
            { value: '', label: t('console.list.anyStatus') },
            ...STATUSES.map((value) => ({ value, label: t(`console.list.statuses.${value}`) })),
          ]}
          onChange={(chosen) => find({ status: chosen })}
        />
      </div>
      <Card>
        <List
          query={list}
          rows={rows}
          empty={
            isFiltered ? (
              <Empty icon="search" texts="console.list.noMatch" />
            ) : (
              <Empty icon="inbox" texts="console.list.none" action={add} />
            )
          }
          texts="console.list.columns"
          columns={[
            {
              name: 'label',
              of: 'titles',
              cell: ({ label }) => nameText(label),
              href: ({ submission_id }) => `/console/submissions/${submission_id}`,
              below: (row) => <Tags row={row} onTag={(tag) => find({ q: tag })} />,
            },
            {
              name: 'status',
              cell: (row) => <StageStatus {...row} />,
              below: notesOf,
            },
            {
              name: 'files',
              className: 'quiet',
              cell: ({ file_count, size_bytes }) =>
                `${t('console.files', { count: file_count })}, ${sizeText(size_bytes)}`,
            },
            {
              name: 'sender',
              className: 'quiet long',
              cell: ({ created_by }) => created_by ?? t('console.list.noSender'),
            },
            {
              name: 'created',
              className: 'quiet',
              cell: ({ created_at }) => <Time at={created_at} as="ago" />,
            },
          ]}
        />
      </Card>
      <p className="visually-hidden" role="status">
        {list.data === undefined ? '' : t('console.list.shown', { count: rows.length })}
      </p>
    </>
  )
}

interface TagsProps {
  readonly row: SubmissionSummary
  onTag(tag: string): void
}

function Tags({ row: { series, tags, external_id }, onTag }: TagsProps) {
  if (series === null && external_id === null && tags.length === 0) return null
  return (
    <>
      {series !== null && <span className="tag">{t('console.list.inSeries', { series })}</span>}
      {external_id !== null && <span className="tag">{external_id}</span>}
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="tag"
          aria-label={t('console.list.withTag', { tag })}
          onClick={() => onTag(tag)}
        >
          {tag}
        </button>
      ))}
    </>
  )
}

function notesOf({ replaced_by, blocker_count }: SubmissionSummary): string | null {
  const notes = [
    ...(replaced_by === null ? [] : [t('console.list.reissued')]),
    ...(blocker_count > 0 ? [t('findings.blockers', { count: blocker_count, areMore: false })] : []),
  ]
  return notes.length === 0 ? null : notes.join(' · ')
}
