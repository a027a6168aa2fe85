import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Empty, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { navigate, useLocation } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { queryText } from '../../query-text.ts'
import { api, pageAt } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { Loading, Problem } from '../problem.tsx'
import { AuditFilters, type Filter, FILTERS, instantOf } from './audit-filters.tsx'
import { AuditGroups } from './audit-groups.tsx'

export function AuditPage() {
  // The filter is part of the URL, so that it can be shared and going back restores it.
  const { pathname, searchParams } = useLocation()
  const filter = Object.fromEntries(FILTERS.map((name) => [name, searchParams.get(name)])) as Filter
  const change = (changed: Partial<Filter>): void =>
    navigate(pathname + queryText({ ...filter, ...changed }), { replace: true })
  const trail = useEvents(filter)
  const events = trail.data?.pages.flatMap((page) => page.data) ?? []
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
      const [since, until] = [instantOf(from), instantOf(to, 1)]
      return api.getAuditTrail({
        ...(by === null ? {} : { by }),
        ...(action === null ? {} : { action }),
        ...(since === null ? {} : { since }),
        ...(until === null ? {} : { until }),
        ...pageAt(pageParam),
        names: 'true',
        limit: 100,
      })
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
      href="/v1/audit/export"
      download
      variant="default"
      leftSection={<Icon name="download" />}
      title={t.exportHint}
    >
      {t.export}
    </Button>
  )
}
