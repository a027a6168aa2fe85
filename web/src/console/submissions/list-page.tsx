import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatBytes } from '@kitseal/kit'
import { Empty, Heading } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { agoText, instantText } from '../../readable.ts'
import { Link, navigate, useLocation } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { get, getQuietly, queryText } from '../api.ts'
import { LoadMore } from '../load-more.tsx'
import { usePoll } from '../live-query.tsx'
import { NoPasskey } from '../no-passkey.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { RevokedBadge, StageBadge } from '../stage-badge.tsx'
import type { SubmissionSummaries, SubmissionSummary } from '../api-types.generated.ts'

const STATUSES = ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'] as const

export function ListPage() {
  // The search is part of the URL, so that going back restores it.
  const { pathname, searchParams } = useLocation()
  const q = searchParams.get('q') ?? ''
  const status = STATUSES.find((one) => one === searchParams.get('status')) ?? null
  const find = (wanted: { readonly q: string; readonly status: string | null }): void =>
    navigate(pathname + queryText(wanted), { replace: true })
  const list = useSubmissions(q, status)
  const rows = list.data?.pages.flatMap(({ submissions }) => submissions) ?? []
  const t = texts.console.list
  const isFiltered = q !== '' || status !== null
  return (
    <>
      <Heading title={texts.console.titles.submissions} lead={t.lead} actions={<NewButton />} />
      <NoPasskey />
      <div className="filters" role="search">
        <SearchField q={q} onSearch={(wanted) => find({ q: wanted, status })} />
        <Select
          aria-label={t.status}
          placeholder={t.anyStatus}
          clearable
          clearButtonProps={{ 'aria-label': t.anyStatus }}
          data={STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
          value={status}
          onChange={(wanted) => find({ q, status: wanted })}
        />
      </div>
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data !== undefined && rows.length === 0 && !list.hasNextPage && (
        <Nothing isFiltered={isFiltered} />
      )}
      {rows.length > 0 && <Rows rows={rows} />}
      <p className="visually-hidden" role="status">
        {list.data === undefined ? '' : t.shown(rows.length)}
      </p>
      <LoadMore query={list} text={rows.length === 0 || isFiltered ? t.searchFurther : undefined} />
    </>
  )
}

interface SearchFieldProps {
  readonly q: string
  onSearch(wanted: string): void
}

/** A debounced search field. */
function SearchField({ q, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(q)
  const search = useDebouncedCallback((typed: string) => onSearch(typed.trim()), 250)
  useEffect(() => setText((typed) => (typed.trim() === q ? typed : q)), [q])
  const t = texts.console.list
  return (
    <TextInput
      aria-label={t.search}
      placeholder={t.searchPlaceholder}
      leftSection={<Icon name="search" />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        search(currentTarget.value)
      }}
    />
  )
}

function useSubmissions(q: string, status: string | null) {
  return useInfiniteQuery({
    queryKey: ['submissions', q, status],
    queryFn: ({ pageParam, client, queryKey }) => {
      const ask = client.getQueryData(queryKey) === undefined || pageParam !== null ? get : getQuietly
      return ask<SubmissionSummaries>(
        `/submissions${queryText({ q, status, cursor: pageParam, limit: '50' })}`,
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: usePoll(),
  })
}

function NewButton() {
  const allowed = useAllowed('submit')
  return (
    <div className="with-reason">
      <Button
        leftSection={<Icon name="plus" />}
        disabled={!allowed.is}
        onClick={() => navigate('/console/new')}
      >
        {texts.console.list.new}
      </Button>
      {allowed.why !== undefined && <p className="quiet">{allowed.why}</p>}
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = texts.console.list
  return (
    <section className="card">
      {isFiltered ? (
        <Empty icon="search" title={t.noMatch.title}>
          {t.noMatch.text}
        </Empty>
      ) : (
        <Empty icon="inbox" title={t.none.title} action={<NewButton />}>
          {t.none.text}
        </Empty>
      )}
    </section>
  )
}

function Rows({ rows }: { readonly rows: readonly SubmissionSummary[] }) {
  const t = texts.console.list.columns
  const now = Date.now()
  return (
    <section className="card flush" aria-label={texts.console.titles.submissions}>
      <Table columns={[t.label, t.status, t.files, t.changed]} className="list">
        <tbody>
          {rows.map((row) => (
            <tr key={row.submission_id}>
              <td className="list-label long">
                <Link href={`/console/submissions/${row.submission_id}`} className="row-link">
                  {row.label}
                </Link>
                <code className="quiet">{row.submission_id}</code>
              </td>
              <td>
                {row.key_revoked_at === null ? (
                  <StageBadge stage={row.stage} />
                ) : (
                  <RevokedBadge revokedAt={row.key_revoked_at} />
                )}
                {row.replaced_by !== null && (
                  <>
                    {' '}
                    <span className="quiet nowrap">{texts.console.list.reissued}</span>
                  </>
                )}
                {row.blockers > 0 && (
                  <>
                    {' '}
                    <span className="quiet nowrap">{texts.console.blockers(row.blockers)}</span>
                  </>
                )}
              </td>
              <td className="quiet nowrap">
                {texts.console.files(row.files)}, {formatBytes(row.size_bytes)}
              </td>
              <td className="quiet nowrap">
                <time dateTime={row.updated_at} title={instantText(row.updated_at)}>
                  {agoText(row.updated_at, now)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
