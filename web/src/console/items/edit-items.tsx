import type { RequestedItem } from '@kitseal/examiner'
import { useRef, useState } from 'react'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Notice } from '../../parts/blocks.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { useDropTarget } from '../../parts/drop.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useProfiles } from '../profiles/profiles.ts'
import { type ItemDraft, newItem } from './item-drafts.ts'

export interface EditItemsProps {
  readonly items: readonly ItemDraft[]
  /** Of a program: who can own an item, and when it is due by default. */
  readonly program?: {
    readonly owners: readonly { readonly email: string; readonly name: string | null }[]
    readonly defaultDays: number
  }
  /** From a list or a profile. */
  onImport(items: readonly RequestedItem[]): void
  onChange(items: readonly ItemDraft[]): void
}

/** The items of a request or a program: imported, from a profile, or by hand. */
export function EditItems(props: EditItemsProps) {
  const { items, program, onImport, onChange } = props
  return (
    <>
      <p className="quiet">
        {program === undefined ? t('console.requests.form.itemsHint') : t('console.programs.form.itemsHint')}{' '}
        <Button look="quiet" size="small" icon="download" onClick={() => saveTemplate(program !== undefined)}>
          {t('console.items.template')}
        </Button>
      </p>
      <div className="item-sources">
        <ImportItems isProgram={program !== undefined} onItems={onImport} />
        <ProfileItems onItems={onImport} />
      </div>
      {items.length > 0 && <ItemTable {...props} />}
      <Button icon="plus" onClick={() => onChange([...items, newItem(items)])}>
        {t('console.requests.form.addItem')}
      </Button>
    </>
  )
}

const COLUMNS = {
  request: ['id', 'title', 'description', 'due'],
  program: ['id', 'title', 'description', 'owner', 'source', 'recipients', 'due days'],
} as const

/** Saves a list with the columns that an import knows, and one row. */
function saveTemplate(isProgram: boolean): void {
  const row = isProgram
    ? ['AC-01', 'Access review', 'Export of all users', 'ann@example.com', 'internal', '', '30']
    : ['AC-01', 'Access review', 'Export of all users', '2027-03-31']
  const csv = [COLUMNS[isProgram ? 'program' : 'request'], row].map((cells) => cells.join(',')).join('\r\n')
  const url = URL.createObjectURL(new Blob([`${csv}\r\n`], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'items.csv' })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Fills in the items of a profile, which can then be edited. */
function ProfileItems({ onItems }: { onItems(items: readonly RequestedItem[]): void }) {
  const profiles = useProfiles().filter(({ items }) => items.length > 0)
  if (profiles.length === 0) return null
  return (
    <select
      className="input"
      aria-label={t('console.requests.form.profile')}
      value=""
      onChange={({ target }) => {
        const chosen = profiles.find(({ profile }) => profile === target.value)
        if (chosen !== undefined)
          onItems(chosen.items.map(({ id, title, description }) => ({ id, title, description })))
      }}
    >
      <option value="">{t('console.requests.form.profile')}</option>
      {profiles.map(({ profile, title }) => (
        <option key={profile} value={profile}>
          {title}
        </option>
      ))}
    </select>
  )
}

interface ImportItemsProps {
  readonly isProgram: boolean
  onItems(items: readonly RequestedItem[]): void
}

/** Takes a list that is chosen or dropped. It is read in the browser. */
function ImportItems({ isProgram, onItems }: ImportItemsProps) {
  const input = useRef<HTMLInputElement>(null)
  const [done, setDone] = useState<string>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const imported = await readList(file, isProgram)
    setProblems(imported.ok ? [] : imported.problems)
    setDone(undefined)
    if (!imported.ok) return
    onItems(imported.items)
    setDone(t('console.requests.form.imported', { count: imported.items.length, name: file.name }))
  }
  const { isOver, target } = useDropTarget(({ files }) => void read(files[0]))
  return (
    <>
      <div className={`import-items ${isOver ? 'over' : ''}`} {...target}>
        <Button icon="upload" onClick={() => input.current?.click()}>
          {t('console.requests.form.import')}
        </Button>
        <span role="status" className="quiet">
          {done}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('console.requests.form.import')}
        data-pick="list"
        accept=".xlsx,.csv,.tsv,.txt"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          void read(file)
        }}
      />
      {problems.length > 0 && (
        <Notice tone="fail" isAlert title={t('console.requests.form.importFailed')}>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <p>
            {t('console.items.columns', { columns: COLUMNS[isProgram ? 'program' : 'request'].join(', ') })}
          </p>
        </Notice>
      )}
    </>
  )
}

const TIMEOUT_MS = 15_000

/** The reader is loaded on first use. */
async function readList(file: File, isProgram: boolean) {
  const { readItemList } = await import('@kitseal/examiner')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const late = { ok: false, problems: [t('console.requests.form.tooSlow')] } as const
  const { promise, resolve } = Promise.withResolvers<typeof late>()
  const timer = setTimeout(() => resolve(late), TIMEOUT_MS)
  try {
    return await Promise.race([readItemList({ name: file.name, bytes, isProgram }), promise])
  } finally {
    clearTimeout(timer)
  }
}

interface Numbered {
  readonly item: ItemDraft
  readonly index: number
}

type TextName = 'item_id' | 'title' | 'description' | 'recipients' | 'due_days'

function ItemTable({ items, program, onChange }: EditItemsProps) {
  const { rows, more } = useFirstRows(items.map((item, index): Numbered => ({ item, index })))
  const set = (index: number, change: Partial<ItemDraft>): void =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...change } : item)))
  const text = ({ item, index }: Numbered, name: TextName, label: string, more_: object = {}) => (
    <input
      className="input"
      aria-label={label}
      value={item[name]}
      {...more_}
      onChange={({ target }) => set(index, { [name]: target.value })}
    />
  )
  const hasDue = program === undefined && items.some(({ due_at }) => due_at !== undefined)
  return (
    <>
      <RowTable
        rows={rows}
        keyOf={({ index }) => index}
        columns={[
          {
            name: t('console.requests.form.itemColumns.id'),
            cell: (row) =>
              text(row, 'item_id', t('console.requests.form.itemId', { row: row.index + 1 }), {
                maxLength: 64,
                required: true,
              }),
          },
          {
            name: t('console.programs.form.columns.title'),
            cell: (row) => (
              <>
                {text(row, 'title', t('console.requests.form.itemTitle', { row: row.index + 1 }), {
                  maxLength: 200,
                  required: true,
                })}
                {text(row, 'description', t('console.requests.form.itemText', { row: row.index + 1 }), {
                  maxLength: 2000,
                  placeholder: t('console.requests.form.itemColumns.description'),
                })}
              </>
            ),
          },
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
          ...(program === undefined
            ? []
            : [
                {
                  name: t('console.programs.form.columns.source'),
                  cell: ({ item, index }: Numbered) => (
                    <select
                      className="input"
                      aria-label={t('console.programs.form.of.source', { row: index + 1 })}
                      value={item.source}
                      onChange={({ target }) =>
                        set(index, { source: target.value === 'request' ? 'request' : 'internal' })
                      }
                    >
                      {(['internal', 'request'] as const).map((value) => (
                        <option key={value} value={value}>
                          {t(`console.programs.form.sources.${value}`)}
                        </option>
                      ))}
                    </select>
                  ),
                },
                {
                  name: t('console.programs.form.columns.owner'),
                  cell: (row: Numbered) =>
                    row.item.source === 'request' ? (
                      text(
                        row,
                        'recipients',
                        t('console.programs.form.of.recipients', { row: row.index + 1 }),
                        {
                          placeholder: t('console.programs.form.recipientsHint'),
                        },
                      )
                    ) : (
                      <OwnerSelect
                        label={t('console.programs.form.of.owner', { row: row.index + 1 })}
                        owners={program.owners}
                        value={row.item.owner}
                        onChange={(owner) => set(row.index, { owner })}
                      />
                    ),
                },
                {
                  name: t('console.programs.form.columns.due'),
                  cell: (row: Numbered) =>
                    text(row, 'due_days', t('console.programs.form.of.days', { row: row.index + 1 }), {
                      type: 'number',
                      min: 0,
                      max: 3660,
                      placeholder: String(program.defaultDays),
                    }),
                },
              ]),
          {
            name: t('console.requests.form.itemColumns.remove'),
            of: 'actions',
            cell: ({ index }) => (
              <IconButton
                icon="trash"
                label={t('console.requests.form.removeItem', { row: index + 1 })}
                onClick={() => onChange(items.filter((_, at) => at !== index))}
              />
            ),
          },
        ]}
      />
      {more}
    </>
  )
}

export interface OwnerSelectProps {
  readonly label: string
  readonly owners: readonly { readonly email: string; readonly name: string | null }[]
  /** An address, or empty. */
  readonly value: string
  readonly isDisabled?: boolean
  onChange(owner: string): void
}

/** Who supplies an item. Someone who is no member yet stays as they are named. */
export function OwnerSelect({ label, owners, value, isDisabled = false, onChange }: OwnerSelectProps) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t('console.programs.form.noOwner')}</option>
      {value !== '' && !owners.some(({ email }) => email === value) && (
        <option value={value}>{nameText(value)}</option>
      )}
      {owners.map(({ email, name }) => (
        <option key={email} value={email}>
          {name ?? email}
        </option>
      ))}
    </select>
  )
}
