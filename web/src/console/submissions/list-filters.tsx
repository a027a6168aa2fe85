import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'

const STATUSES = ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'] as const
const SORTS = ['-created_at', 'created_at', 'label', '-label', '-size_bytes', 'size_bytes'] as const
const TEXTS = ['path', 'tag', 'series', 'external_id'] as const
const DAYS = ['created_after', 'created_before'] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

type Name = 'q' | 'status' | 'sort' | (typeof TEXTS)[number] | (typeof DAYS)[number]

/** As in the URL. An empty or absent filter is off. */
export type ListFilters = { readonly [Filter in Name]?: string }

/** Ignores what the service would not accept. */
export function listFiltersIn(parameters: URLSearchParams): ListFilters {
  const isValid = (name: Name, value: string): boolean => {
    if (name === 'status') return STATUSES.some((one) => one === value)
    if (name === 'sort') return SORTS.some((one) => one === value)
    return name === 'created_after' || name === 'created_before'
      ? DAY.test(value) && !Number.isNaN(Date.parse(value))
      : value !== ''
  }
  const names: readonly Name[] = ['q', 'status', 'sort', ...TEXTS, ...DAYS]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name)?.slice(0, 200) ?? ''
      return isValid(name, value) ? [[name, value]] : []
    }),
  )
}

export interface ListFiltersBarProps {
  readonly filters: ListFilters
  onChange(change: ListFilters): void
}

export function ListFiltersBar({ filters, onChange }: ListFiltersBarProps) {
  const hasMore = [...TEXTS, ...DAYS].some((name) => filters[name] !== undefined)
  const [isOpen, setIsOpen] = useState(hasMore)
  const clear = (): void =>
    onChange(Object.fromEntries([...TEXTS, ...DAYS, 'q', 'status'].map((name) => [name, ''])))
  return (
    <div role="search" className="list-search">
      <div className="filters list-filters">
        <SearchField
          label={t('console.list.search')}
          placeholder={t('console.list.searchPlaceholder')}
          hasIcon
          value={filters.q ?? ''}
          onSearch={(q) => onChange({ q })}
        />
        <Select
          aria-label={t('console.list.status')}
          placeholder={t('console.list.anyStatus')}
          clearable
          clearButtonProps={{ 'aria-label': t('console.list.anyStatus') }}
          data={STATUSES.map((value) => ({ value, label: t(`console.list.statuses.${value}`) }))}
          value={filters.status ?? null}
          onChange={(status) => onChange({ status: status ?? '' })}
        />
        <Select
          aria-label={t('console.list.sort')}
          allowDeselect={false}
          data={SORTS.map((value) => ({ value, label: t(`console.list.sorts.${value}`) }))}
          value={filters.sort ?? SORTS[0]}
          onChange={(sort) => onChange({ sort: sort === SORTS[0] ? '' : (sort ?? '') })}
        />
        <Button
          variant="default"
          aria-expanded={isOpen}
          aria-controls="more-filters"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t('console.list.fewerFilters') : t('console.list.moreFilters')}
        </Button>
      </div>
      <div id="more-filters" className="filters more-filters" hidden={!isOpen}>
        {TEXTS.map((name) => (
          <SearchField
            key={name}
            label={t(`console.list.filters.${name}`)}
            isLabelled
            placeholder={name === 'path' ? t('console.list.filters.pathExample') : ''}
            value={filters[name] ?? ''}
            onSearch={(value) => onChange({ [name]: value })}
          />
        ))}
        {DAYS.map((name) => (
          <TextInput
            key={name}
            type="date"
            label={t(`console.list.filters.${name}`)}
            value={filters[name] ?? ''}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        ))}
        <Button variant="subtle" className="clear-filters" onClick={clear}>
          {t('console.list.clearFilters')}
        </Button>
      </div>
    </div>
  )
}

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly isLabelled?: boolean
  readonly hasIcon?: boolean
  readonly value: string
  onSearch(wanted: string): void
}

/** A debounced search field. */
function SearchField({ label, placeholder, isLabelled, hasIcon, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const search = useDebouncedCallback((typed: string) => onSearch(typed.trim()), 250)
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value])
  return (
    <TextInput
      {...(isLabelled === true ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      leftSection={hasIcon === true ? <Icon name="search" /> : undefined}
      maxLength={200}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        search(currentTarget.value)
      }}
    />
  )
}
