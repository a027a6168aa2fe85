import { Button, Select, TextInput } from '@mantine/core'
import { below, t } from '../../core/texts.ts'
import { useLiveQuery } from '../live-query.tsx'
import { api } from '../client.ts'

export const FILTERS = ['by', 'action', 'from', 'to'] as const

/** `from` and `to` are days in the time zone of the browser. */
export type Filter = Readonly<Record<(typeof FILTERS)[number], string | null>>

const NOTHING: Filter = { by: null, action: null, from: null, to: null }

/** Midnight at the start of a day, or of a later one, as a time. */
export function instantOf(day: string | null, daysLater = 0): string | null {
  const [year = NaN, month = NaN, date = NaN] = (day ?? '').split('-').map(Number)
  const midnight = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(midnight.getTime()) ? null : midnight.toISOString()
}

export interface AuditFiltersProps {
  readonly filter: Filter
  onChange(changed: Partial<Filter>): void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { data } = useLiveQuery(['people'], api.getAuditPeople)
  const named = (kind: 'member' | 'key') =>
    (data?.data ?? []).filter(({ is }) => is === kind).map(({ id, name }) => ({ value: id, label: name }))
  const others = (['operator', 'service', 'link', 'anonymous'] as const).map((value) => ({
    value,
    label: t(`console.audit.actors.${value}`),
  }))
  return (
    <div className="filters audit-filters" role="search">
      <Select
        aria-label={t('console.audit.filters.by')}
        placeholder={t('console.audit.filters.anyone')}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('console.audit.filters.anyone') }}
        data={[
          { group: t('console.audit.filters.members'), items: named('member') },
          { group: t('console.audit.filters.keys'), items: named('key') },
          { group: t('console.audit.filters.others'), items: others },
        ]}
        value={filter.by}
        onChange={(by) => onChange({ by })}
      />
      <Select
        aria-label={t('console.audit.filters.kind')}
        placeholder={t('console.audit.filters.anyKind')}
        clearable
        clearButtonProps={{ 'aria-label': t('console.audit.filters.anyKind') }}
        data={below('console.audit.kinds').map(([value, label]) => ({ value, label }))}
        value={filter.action}
        onChange={(action) => onChange({ action })}
      />
      <DayField
        name={t('console.audit.filters.from')}
        value={filter.from}
        onChange={(from) => onChange({ from })}
      />
      <DayField name={t('console.audit.filters.to')} value={filter.to} onChange={(to) => onChange({ to })} />
      {FILTERS.some((name) => filter[name] !== null) && (
        <Button variant="subtle" onClick={() => onChange(NOTHING)}>
          {t('console.audit.filters.clear')}
        </Button>
      )}
    </div>
  )
}

interface DayFieldProps {
  readonly name: string
  readonly value: string | null
  onChange(day: string | null): void
}

function DayField({ name, value, onChange }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={name}
      leftSection={name}
      leftSectionWidth="3.5rem"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  )
}
