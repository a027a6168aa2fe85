import type { RequestedItem } from '@kitseal/examiner'
import type { PickedItems } from '@kitseal/kit/in-browser'
import { useState, useEffect, useRef } from 'react'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Notice } from '../../parts/blocks.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { DropBox } from '../../parts/drop.tsx'
import { Select, type SelectProps, useFields } from '../../parts/fields.tsx'
import { useFirstRows, RowTable } from '../../parts/list.tsx'
import { Time } from '../../parts/time.tsx'
import { useProfiles } from '../profiles/profiles.ts'
import { type ItemDraft, newItem } from './item-drafts.ts'
import { useMe } from '../session.tsx'

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
      <div className="row">
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
  const label = t('console.requests.form.profile')
  return (
    <Select
      label={label}
      value=""
      options={[
        { value: '', label },
        ...profiles.map(({ profile, title }) => ({ value: profile, label: title })),
      ]}
      onChange={(chosen) => {
        const { items = [] } = profiles.find(({ profile }) => profile === chosen) ?? {}
        if (items.length > 0) onItems(items.map(({ id, title, description }) => ({ id, title, description })))
      }}
    />
  )
}

interface ImportItemsProps {
  readonly isProgram: boolean
  onItems(items: readonly RequestedItem[]): void
}

/** Takes a list that is chosen or dropped. It is read in the browser. */
function ImportItems({ isProgram, onItems }: ImportItemsProps) {
  const [done, setDone] = useState('')
  const [problems, setProblems] = useState<readonly string[]>([])
  const read = async ({ files: [file] }: PickedItems): Promise<void> => {
    if (file === undefined) return
    const imported = await readList(file, isProgram)
    setProblems(imported.ok ? [] : imported.problems)
    setDone('')
    if (!imported.ok) return
    onItems(imported.items)
    setDone(t('console.requests.form.imported', { count: imported.items.length, name: file.name }))
  }
  return (
    <>
      <DropBox
        label={t('console.requests.form.import')}
        hint={<span role="status">{done}</span>}
        pick="list"
        accept=".xlsx,.csv,.tsv,.txt"
        isMultiple={false}
        onItems={(items) => void read(items)}
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
  const { readItemList } = await import('./read-item-list.ts')
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
  const text = ({ item, index }: Numbered, name: TextName, attributes: object) => (
    <input
      className="input"
      aria-label={t(`console.items.of.${name}`, { row: index + 1 })}
      value={item[name]}
      {...attributes}
      onChange={({ target }) => set(index, { [name]: target.value })}
    />
  )
  const hasDue = program === undefined && items.some(({ due_at }) => due_at !== undefined)
  return (
    <>
      <RowTable
        rows={rows}
        texts="console.items.columns"
        columns={[
          { name: 'id', cell: (row) => text(row, 'item_id', { maxLength: 64, required: true }) },
          {
            name: 'title',
            cell: (row) => (
              <>
                {text(row, 'title', { maxLength: 200, required: true })}
                {text(row, 'description', {
                  maxLength: 2000,
                  placeholder: t('console.items.columns.description'),
                })}
              </>
            ),
          },
          hasDue && {
            name: 'due',
            cell: ({ item: { due_at } }) => (due_at === undefined ? '–' : <Time at={due_at} as="day" />),
          },
          program !== undefined && {
            name: 'source',
            cell: ({ item, index }) => (
              <Select
                label={t('console.items.of.source', { row: index + 1 })}
                value={item.source}
                options={(['internal', 'request'] as const).map((value) => ({
                  value,
                  label: t(`console.programs.form.sources.${value}`),
                }))}
                onChange={(source) => set(index, { source: source === 'request' ? source : 'internal' })}
              />
            ),
          },
          program !== undefined && {
            name: 'owner',
            cell: (row) =>
              row.item.source === 'request' ? (
                text(row, 'recipients', { placeholder: t('console.programs.form.recipientsHint') })
              ) : (
                <OwnerSelect
                  label={t('console.items.of.owner', { row: row.index + 1 })}
                  owners={program.owners}
                  value={row.item.owner}
                  onChange={(owner) => set(row.index, { owner })}
                />
              ),
          },
          program !== undefined && {
            name: 'days',
            cell: (row) =>
              text(row, 'due_days', {
                type: 'number',
                min: 0,
                max: 3660,
                placeholder: String(program.defaultDays),
              }),
          },
          {
            name: 'remove',
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

export interface OwnerSelectProps extends Omit<SelectProps, 'options'> {
  readonly owners: readonly { readonly email: string; readonly name: string | null }[]
}

/** Who supplies an item: an address, or empty. Someone who is no member yet stays as they are named. */
export function OwnerSelect({ owners, value, ...props }: OwnerSelectProps) {
  const isStranger = value !== '' && !owners.some(({ email }) => email === value)
  return (
    <Select
      value={value}
      {...props}
      options={[
        { value: '', label: t('console.programs.form.noOwner') },
        ...(isStranger ? [{ value, label: nameText(value) }] : []),
        ...owners.map(({ email, name }) => ({ value: email, label: name ?? email })),
      ]}
    />
  )
}

/** The values of a form that stay in this tab until it is sent, when the page is left or the session ends. */
export function useKeptFields<Values extends object>(name: string, initial: () => Values) {
  const key = `kitseal:${useMe().member.member_id}:${name}`
  const isSent = useRef(false)
  const [values, set] = useFields<Values>(() => stored(key) ?? initial())
  const first = useRef(values)
  useEffect(() => {
    if (isSent.current || values === first.current) return
    try {
      sessionStorage.setItem(key, JSON.stringify(values))
    } catch {
      // The browser stores nothing for this page.
    }
  }, [key, values])
  const forget = (): void => {
    isSent.current = true
    try {
      sessionStorage.removeItem(key)
    } catch {
      // Nothing was stored.
    }
  }
  return [values, set, forget] as const
}

function stored<Values extends object>(key: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Values) : undefined
  } catch {
    return undefined
  }
}
