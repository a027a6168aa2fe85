import type { RequestedItem } from '@kitseal/evidence'
import { Button, TextInput } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'

export interface ItemRowsProps {
  readonly items: readonly RequestedItem[]
  onChange(items: readonly RequestedItem[]): void
}

/** The items of a new request, which can be edited. */
export function ItemRows({ items, onChange }: ItemRowsProps) {
  const t = texts.console.requests.form
  const set = (index: number, change: Partial<RequestedItem>): void =>
    onChange(items.map((item, at) => (at === index ? Object.assign({}, item, change) : item)))
  const hasDue = items.some(({ due_at }) => due_at !== undefined)
  return (
    <>
      {items.length > 0 && (
        <Table
          className="item-rows"
          columns={[
            t.itemColumns.id,
            t.itemColumns.title,
            t.itemColumns.description,
            ...(hasDue ? [t.itemColumns.due] : []),
            { name: t.itemColumns.remove, of: 'actions' },
          ]}
        >
          <tbody>
            {items.map((item, index) => (
              <tr key={index}>
                <td data-name={t.itemColumns.id}>
                  <TextInput
                    aria-label={t.itemId(index + 1)}
                    value={item.id}
                    maxLength={64}
                    required
                    onChange={({ currentTarget }) => set(index, { id: currentTarget.value })}
                  />
                </td>
                <td data-name={t.itemColumns.title}>
                  <TextInput
                    aria-label={t.itemTitle(index + 1)}
                    value={item.title}
                    maxLength={200}
                    required
                    onChange={({ currentTarget }) => set(index, { title: currentTarget.value })}
                  />
                </td>
                <td data-name={t.itemColumns.description}>
                  <TextInput
                    aria-label={t.itemText(index + 1)}
                    value={item.description ?? ''}
                    maxLength={2000}
                    onChange={({ currentTarget }) => set(index, { description: currentTarget.value })}
                  />
                </td>
                {hasDue && (
                  <td data-name={t.itemColumns.due} className="nowrap">
                    {item.due_at === undefined ? '–' : <Time at={item.due_at} as="day" />}
                  </td>
                )}
                <td className="actions">
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t.removeItem(index + 1)}
                    title={t.removeItem(index + 1)}
                    onClick={() => onChange(items.filter((_, at) => at !== index))}
                  >
                    <Icon name="trash" size={16} />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() => onChange([...items, { id: nextId(items), title: '' }])}
      >
        {t.addItem}
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
