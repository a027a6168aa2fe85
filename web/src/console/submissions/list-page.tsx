import type { Operations } from '@kitseal/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty, Heading } from '../../parts/blocks.tsx'
import { navigate, useLocation } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { queryText } from '../../query-text.ts'
import { api, pageAt, QUIETLY } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { usePoll } from '../live-query.tsx'
import { NewSubmission } from '../new-submission.tsx'
import { NoPasskey } from '../no-passkey.tsx'
import { Loading, Problem } from '../problem.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type ListFilters, ListFiltersBar, listFiltersIn } from './list-filters.tsx'
import { ListRows } from './list-rows.tsx'

export function ListPage() {
  // The search is part of the URL, so that going back restores it.
  const { pathname, searchParams } = useLocation()
  const filters = listFiltersIn(searchParams)
  const find = (change: ListFilters): void =>
    navigate(pathname + queryText({ ...filters, ...change }), { replace: true })
  const list = useSubmissions(filters)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = rows.filter(({ submission_id }) => chosen.has(submission_id))
  const t = texts.console.list
  const { sort: _, ...narrowing } = filters
  const isFiltered = Object.keys(narrowing).length > 0
  const hasNone = list.data !== undefined && rows.length === 0 && !list.hasNextPage
  const isEmpty = hasNone && !isFiltered
  return (
    <>
      <Heading
        title={texts.console.titles.submissions}
        lead={t.lead}
        actions={isEmpty ? undefined : <NewSubmission />}
      />
      <NoPasskey />
      {!isEmpty && <ListFiltersBar filters={filters} onChange={find} />}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {hasNone && <Nothing isFiltered={isFiltered} />}
      {rows.length > 0 && (
        <ListRows rows={rows} chosen={chosen} onChoose={setChosen} onTag={(tag) => find({ tag })} />
      )}
      <p className="visually-hidden" role="status">
        {list.data === undefined ? '' : t.shown(rows.length)}
      </p>
      <LoadMore query={list} text={rows.length === 0 || isFiltered ? t.searchFurther : undefined} />
      {selected.length > 0 && <BulkBar selected={selected} onDone={() => setChosen(new Set())} />}
    </>
  )
}

/** `listFiltersIn` accepts only what the service does. */
type ListQuery = Operations['listSubmissions']['query']

function useSubmissions(filters: ListFilters) {
  return useInfiniteQuery({
    queryKey: ['submissions', filters],
    queryFn: ({ pageParam, client, queryKey }) => {
      const isFirst = client.getQueryData(queryKey) === undefined || pageParam !== null
      const query = { ...filters, ...instants(filters), ...pageAt(pageParam), limit: 50 }
      return api.listSubmissions(query as ListQuery, isFirst ? undefined : QUIETLY)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: usePoll(),
  })
}

/** Midnight of the given days, in the time zone of the browser. */
const instants = ({ created_after, created_before }: ListFilters): ListFilters => ({
  ...(created_after === undefined ? {} : { created_after: midnight(created_after) }),
  ...(created_before === undefined ? {} : { created_before: midnight(created_before) }),
})

const midnight = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = texts.console.list
  return (
    <section className="card">
      {isFiltered ? (
        <Empty icon="search" title={t.noMatch.title}>
          {t.noMatch.text}
        </Empty>
      ) : (
        <Empty icon="inbox" title={t.none.title} action={<NewSubmission />}>
          {t.none.text}
        </Empty>
      )}
    </section>
  )
}
