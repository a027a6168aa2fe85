import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Empty, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { navigate, useLocation } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { get, ownPath, queryText } from '../api.ts'
import { LoadMore } from '../load-more.tsx'
import { Loading, Problem } from '../problem.tsx'
import type { AuditPage as Page } from '../api-types.generated.ts'
import { AuditFilters, type Filter, FILTERS, instantOf } from './audit-filters.tsx'
import { AuditGroups } from './audit-groups.tsx'

export function AuditPage() {
  // The filter is part of the URL, so that it can be shared and going back restores it.
  const { pathname, searchParams } = useLocation()
  const filter = Object.fromEntries(FILTERS.map((name) => [name, searchParams.get(name)])) as Filter
  const change = (changed: Partial<Filter>): void =>
    navigate(pathname + queryText({ ...filter, ...changed }), { replace: true })
  const trail = useEvents(filter)
  const events = trail.data?.pages.flatMap((page) => page.events) ?? []
  const isFiltered = FILTERS.some((name) => filter[name] !== null)
  const t = texts.console.audit
  return (
    <>
      <Heading title={texts.console.titles.audit} lead={t.lead} actions={<ExportButton />} />
      <AuditFilters filter={filter} onChange={change} />
      {trail.error !== null && <Problem error={trail.error} onRetry={() => void trail.refetch()} />}
      {trail.isPending && <Loading />}
      {trail.data !== undefined && events.length === 0 && (
        <section className="card">
          <Empty icon="list" title={isFiltered ? t.noMatch : t.none} />
        </section>
      )}
      {events.length > 0 && <AuditGroups events={events} />}
      <LoadMore query={trail} />
    </>
  )
}

function useEvents({ by, action, from, to }: Filter) {
  return useInfiniteQuery({
    queryKey: ['audit', by, action, from, to],
    queryFn: ({ pageParam }) => {
      const times = { since: instantOf(from), until: instantOf(to, 1) }
      return get<Page>(`/audit${queryText({ by, action, ...times, cursor: pageParam, limit: '100' })}`)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
}

function ExportButton() {
  const t = texts.console.audit
  return (
    <Button
      component="a"
      href={ownPath('/v1/audit/export')}
      download
      variant="default"
      leftSection={<Icon name="download" />}
      title={t.exportHint}
    >
      {t.export}
    </Button>
  )
}
