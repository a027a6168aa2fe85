import type { MemberList } from '@kitseal/client/console'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { t } from '../../core/texts.ts'
import { type ItemDraft, newItem } from './item-drafts.ts'

export interface ProgramItemsProps {
  readonly items: readonly ItemDraft[]
  readonly members: MemberList['members']
  readonly defaultDays: number
  onChange(items: readonly ItemDraft[]): void
}

interface Numbered {
  readonly item: ItemDraft
  readonly index: number
}

/** The items of a program, which can be edited. */
export function ProgramItems({ items, members, defaultDays, onChange }: ProgramItemsProps) {
  const { rows, more } = useFirstRows(items.map((item, index): Numbered => ({ item, index })))
  const set = (index: number, change: Partial<ItemDraft>): void =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...change } : item)))
  const owners = [
    { value: '', label: t('console.programs.form.noOwner') },
    ...members.map(({ email, name }) => ({ value: email, label: name ?? email })),
  ]
  const sources = (['internal', 'request'] as const).map((value) => ({
    value,
    label: t(`console.programs.form.sources.${value}`),
  }))
  const text =
    (label: string, name: 'item_id' | 'title' | 'description' | 'recipients', more_: object) =>
    ({ item, index }: Numbered) => (
      <TextInput
        aria-label={label}
        value={item[name]}
        {...more_}
        onChange={({ currentTarget }) => set(index, { [name]: currentTarget.value })}
      />
    )
  return (
    <>
      {items.length > 0 && (
        <RowTable
          className="item-rows program-items"
          rows={rows}
          keyOf={({ index }) => index}
          columns={[
            {
              name: t('console.programs.form.columns.id'),
              cell: (row) =>
                text(t('console.requests.form.itemId', { row: row.index + 1 }), 'item_id', {
                  maxLength: 64,
                  required: true,
                })(row),
            },
            {
              name: t('console.programs.form.columns.title'),
              cell: (row) => (
                <>
                  {text(t('console.requests.form.itemTitle', { row: row.index + 1 }), 'title', {
                    maxLength: 200,
                    required: true,
                  })(row)}
                  {text(t('console.requests.form.itemText', { row: row.index + 1 }), 'description', {
                    maxLength: 2000,
                    placeholder: t('console.requests.form.itemColumns.description'),
                    size: 'xs',
                  })(row)}
                </>
              ),
            },
            {
              name: t('console.programs.form.columns.source'),
              cell: ({ item, index }) => (
                <NativeSelect
                  aria-label={t('console.programs.form.of.source', { row: index + 1 })}
                  data={sources}
                  value={item.source}
                  onChange={({ currentTarget }) =>
                    set(index, { source: currentTarget.value as ItemDraft['source'] })
                  }
                />
              ),
            },
            {
              name: `${t('console.programs.form.columns.owner')} / ${t('console.programs.form.columns.recipients')}`,
              cell: (row) =>
                row.item.source === 'request' ? (
                  text(t('console.programs.form.of.recipients', { row: row.index + 1 }), 'recipients', {
                    placeholder: t('console.programs.form.recipientsHint'),
                  })(row)
                ) : (
                  <NativeSelect
                    aria-label={t('console.programs.form.of.owner', { row: row.index + 1 })}
                    data={owners}
                    value={row.item.owner}
                    onChange={({ currentTarget }) => set(row.index, { owner: currentTarget.value })}
                  />
                ),
            },
            {
              name: t('console.programs.form.columns.due'),
              className: 'nowrap',
              cell: ({ item, index }) => (
                <TextInput
                  aria-label={t('console.programs.form.of.days', { row: index + 1 })}
                  type="number"
                  min={0}
                  max={3660}
                  placeholder={String(defaultDays)}
                  rightSection={t('console.programs.form.days')}
                  rightSectionWidth={44}
                  value={item.due_days}
                  onChange={({ currentTarget }) => set(index, { due_days: currentTarget.value })}
                />
              ),
            },
            {
              name: t('console.programs.form.columns.remove'),
              of: 'actions',
              cell: ({ index }) => (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('console.requests.form.removeItem', { row: index + 1 })}
                  title={t('console.requests.form.removeItem', { row: index + 1 })}
                  onClick={() => onChange(items.filter((_, at) => at !== index))}
                >
                  <Icon name="trash" size={16} />
                </button>
              ),
            },
          ]}
        />
      )}
      {more}
      <Button
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() => onChange([...items, newItem(items)])}
      >
        {t('console.requests.form.addItem')}
      </Button>
    </>
  )
}
