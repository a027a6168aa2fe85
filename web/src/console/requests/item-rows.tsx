import type { RequestedItem } from '@kitseal/examiner'
import { Button, TextInput } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'

export interface ItemRowsProps {
  readonly items: readonly RequestedItem[]
  onChange(items: readonly RequestedItem[]): void
}

interface Numbered {
  readonly item: RequestedItem
  readonly index: number
}

const FIELDS = [
  { name: 'id', label: 'itemId', maxLength: 64, required: true },
  { name: 'title', label: 'itemTitle', maxLength: 200, required: true },
  { name: 'description', label: 'itemText', maxLength: 2000 },
] as const

/** The items of a new request, which can be edited. */
export function ItemRows({ items, onChange }: ItemRowsProps) {
  const set = (index: number, change: Partial<RequestedItem>): void =>
    onChange(items.map((item, at) => (at === index ? Object.assign({}, item, change) : item)))
  const hasDue = items.some(({ due_at }) => due_at !== undefined)
  return (
    <>
      {items.length > 0 && (
        <RowTable
          className="item-rows"
          rows={items.map((item, index) => ({ item, index }))}
          keyOf={({ index }) => index}
          columns={[
            ...FIELDS.map(({ name, label, ...limits }) => ({
              name: t(`console.requests.form.itemColumns.${name}`),
              cell: ({ item, index }: Numbered) => (
                <TextInput
                  aria-label={t(`console.requests.form.${label}`, { row: index + 1 })}
                  value={item[name] ?? ''}
                  {...limits}
                  onChange={({ currentTarget }) => set(index, { [name]: currentTarget.value })}
                />
              ),
            })),
            ...(hasDue
              ? [
                  {
                    name: t('console.requests.form.itemColumns.due'),
                    className: 'nowrap',
                    cell: ({ item: { due_at } }: Numbered) =>
                      due_at === undefined ? '–' : <Time at={due_at} as="day" />,
                  },
                ]
              : []),
            {
              name: t('console.requests.form.itemColumns.remove'),
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
      <Button
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() => onChange([...items, { id: nextId(items), title: '' }])}
      >
        {t('console.requests.form.addItem')}
      </Button>
    </>
  )
}

function nextId(items: readonly RequestedItem[]): string {
  const ids = new Set(items.map(({ id }) => id))
  let number = items.length + 1
  while (ids.has(String(number))) number++
  return String(number)
}
