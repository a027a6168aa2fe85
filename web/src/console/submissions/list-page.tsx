import type { Operations } from '@kitseal/client'
import { useState } from 'react'
import { EmptyCard, Heading } from '../../parts/blocks.tsx'
import { navigate, useLocation } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { queryText } from '../../core/query-text.ts'
import { api } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { usePoll } from '../live-query.tsx'
import { NewSubmission } from '../new-submission.tsx'
import { NoPasskey } from '../no-passkey.tsx'
import { QueryState } from '../problem.tsx'
import { usePages } from '../use-pages.ts'
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
  const { rows } = list
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = rows.filter(({ submission_id }) => chosen.has(submission_id))
  const { sort: _, ...narrowing } = filters
  const isFiltered = Object.keys(narrowing).length > 0
  const hasNone = list.isEmpty && !list.hasNextPage
  const isEmpty = hasNone && !isFiltered
  return (
    <>
      <Heading
        title={t('console.titles.submissions')}
        lead={t('console.list.lead')}
        actions={isEmpty ? undefined : <NewSubmission />}
      />
      <NoPasskey />
      {!isEmpty && <ListFiltersBar filters={filters} onChange={find} />}
      <QueryState query={list} />
      {hasNone && isFiltered && (
        <EmptyCard
          icon="search"
          title={t('console.list.noMatch.title')}
          text={t('console.list.noMatch.text')}
        />
      )}
      {isEmpty && (
        <EmptyCard
          icon="inbox"
          title={t('console.list.none.title')}
          text={t('console.list.none.text')}
          action={<NewSubmission />}
        />
      )}
      {rows.length > 0 && (
        <ListRows rows={rows} chosen={chosen} onChoose={setChosen} onTag={(tag) => find({ tag })} />
      )}
      <p className="visually-hidden" role="status">
        {list.data === undefined ? '' : t('console.list.shown', { count: rows.length })}
      </p>
      <LoadMore
        query={list}
        text={rows.length === 0 || isFiltered ? t('console.list.searchFurther') : undefined}
      />
      {selected.length > 0 && <BulkBar selected={selected} onDone={() => setChosen(new Set())} />}
    </>
  )
}

/** `listFiltersIn` accepts only what the service does. */
type ListQuery = Operations['listSubmissions']['query']

const useSubmissions = (filters: ListFilters) =>
  usePages(
    ['submissions', filters],
    (page, options) =>
      api.listSubmissions({ ...filters, ...instants(filters), ...page, limit: 25 } as ListQuery, options),
    usePoll(),
  )

/** Midnight of the given days, in the time zone of the browser. */
const instants = ({ created_after, created_before }: ListFilters): ListFilters => ({
  ...(created_after === undefined ? {} : { created_after: midnight(created_after) }),
  ...(created_before === undefined ? {} : { created_before: midnight(created_before) }),
})

const midnight = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
