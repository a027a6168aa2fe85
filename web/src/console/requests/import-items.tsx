import type { DateOrder, RequestedItem } from '@kitseal/examiner'
import { Button, Select } from '@mantine/core'
import { useRef, useState } from 'react'
import { useProfiles } from '../profiles/profiles.ts'
import { Notice } from '../../parts/blocks.tsx'
import { useDropTarget } from '../../parts/drop-target.tsx'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { dateLanguage } from '../../core/language.ts'
import { importList } from './import-list.ts'

export const itemOf = (id: string, title: string, description: string | null): RequestedItem =>
  description === null ? { id, title } : { id, title, description }

/** Fills in the items of a profile, which can then be edited. */
export function ProfileItems({ onItems }: { onItems(items: readonly RequestedItem[]): void }) {
  const profiles = useProfiles().filter(({ items }) => items.length > 0)
  if (profiles.length === 0) return null
  return (
    <Select
      label={t('console.requests.form.profile')}
      placeholder={t('console.requests.form.noProfile')}
      data={profiles.map(({ profile, title }) => ({ value: profile, label: title }))}
      onChange={(name) => {
        const chosen = profiles.find(({ profile }) => profile === name)
        if (chosen !== undefined)
          onItems(chosen.items.map(({ id, title, description = null }) => itemOf(id, title, description)))
      }}
    />
  )
}

const DAY = new Intl.DateTimeFormat(dateLanguage, { dateStyle: 'long', timeZone: 'UTC' })
const utcDay = (at: string): string => DAY.format(new Date(at))

export interface ImportItemsProps {
  /** Also reads owner, source, recipients and due days. */
  readonly isProgram?: boolean
  onItems(items: readonly RequestedItem[]): void
}

/** Takes a list that is chosen or dropped. It is read in the browser. */
export function ImportItems({ isProgram = false, onItems }: ImportItemsProps) {
  const input = useRef<HTMLInputElement>(null)
  const [done, setDone] = useState<string>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const [asked, setAsked] = useState<{
    readonly file: File
    readonly dates: Readonly<Record<DateOrder, string>>
  }>()
  const read = async (file: File | undefined, dateOrder?: DateOrder): Promise<void> => {
    if (file === undefined) return undefined
    setDone(undefined)
    setProblems([])
    setAsked(undefined)
    const imported = await importList(file, { dateOrder, isProgram })
    if (!imported.ok && imported.asks !== undefined) return setAsked({ file, dates: imported.asks })
    if (!imported.ok) return setProblems(imported.problems)
    onItems(imported.items)
    return setDone(t('console.requests.form.imported', { count: imported.items.length, name: file.name }))
  }
  const { isOver, target } = useDropTarget({
    label: t('console.requests.form.import'),
    onItems: ({ files }) => void read(files[0]),
  })
  return (
    <>
      <div className={`import-items ${isOver ? 'over' : ''}`} {...target}>
        <Button variant="default" leftSection={<Icon name="upload" />} onClick={() => input.current?.click()}>
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
      {asked !== undefined && (
        <Notice tone="info" isAlert title={t('console.requests.form.whichDate')}>
          <div className="row">
            {(['month-first', 'day-first'] as const).map((order) => (
              <Button key={order} variant="default" onClick={() => void read(asked.file, order)}>
                {utcDay(asked.dates[order])}
              </Button>
            ))}
          </div>
        </Notice>
      )}
      {problems.length > 0 && (
        <Notice tone="fail" isAlert title={t('console.requests.form.importFailed')}>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
