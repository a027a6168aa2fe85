import { Button } from '@mantine/core'
import { EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { navigate, useLocation } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { queryText } from '../../core/query-text.ts'
import { api } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { usePages } from '../use-pages.ts'
import { AuditFilters, type Filter, FILTERS, instantOf } from './audit-filters.tsx'
import { AuditGroups } from './audit-groups.tsx'

export function AuditPage() {
  // The filter is part of the URL, so that it can be shared and going back restores it.
  const { pathname, searchParams } = useLocation()
  const filter = Object.fromEntries(FILTERS.map((name) => [name, searchParams.get(name)])) as Filter
  const change = (changed: Partial<Filter>): void =>
    navigate(pathname + queryText({ ...filter, ...changed }), { replace: true })
  const trail = useEvents(filter)
  const isFiltered = FILTERS.some((name) => filter[name] !== null)
  return (
    <>
      <Heading title={t('console.titles.audit')} lead={t('console.audit.lead')} actions={<ExportButton />} />
      <AuditFilters filter={filter} onChange={change} />
      <QueryState query={trail} />
      {trail.isEmpty && (
        <EmptyCard icon="list" title={isFiltered ? t('console.audit.noMatch') : t('console.audit.none')} />
      )}
      {trail.rows.length > 0 && <AuditGroups events={trail.rows} />}
      <LoadMore query={trail} />
    </>
  )
}

function useEvents({ by, action, from, to }: Filter) {
  const [since, until] = [instantOf(from), instantOf(to, 1)]
  return usePages(['audit', by, action, from, to], (page, options) =>
    api.getAuditTrail(
      {
        ...(by === null ? {} : { by }),
        ...(action === null ? {} : { action }),
        ...(since === null ? {} : { since }),
        ...(until === null ? {} : { until }),
        ...page,
        names: 'true',
        limit: 100,
      },
      options,
    ),
  )
}

function ExportButton() {
  return (
    <Button
      component="a"
      href="/v1/audit/export"
      download
      variant="default"
      leftSection={<Icon name="download" />}
      title={t('console.audit.exportHint')}
    >
      {t('console.audit.export')}
    </Button>
  )
}
