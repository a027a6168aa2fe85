import type { ReactNode } from 'react'
import { joinList } from '@kitseal/kit/in-browser/words'
import { nameText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Card } from './blocks.tsx'
import { Files, type FilesProps, type ListedFile } from './files.tsx'
import { type LOOKS, Status } from './status.tsx'

/** What was asked for, and the files that were sealed for it. */
export interface SealedItem<File extends ListedFile = ListedFile> {
  readonly id: string
  readonly title: string
  /** As it was when the kit was sealed. */
  readonly status: string
  readonly files: readonly File[]
}

const OUTCOMES = ['accepted', 'not_accepted', 'missing', 'not_applicable'] as const

type Outcome = (typeof OUTCOMES)[number]

const LOOK_OF: Readonly<Record<Outcome, keyof typeof LOOKS.item>> = {
  accepted: 'accepted',
  not_accepted: 'needs_changes',
  missing: 'missing',
  not_applicable: 'not_applicable',
}

/** A reviewer accepted it, or said that it does not apply. Nothing without a file is accepted. */
export function outcomeOf({ status, files }: Pick<SealedItem, 'status' | 'files'>): Outcome {
  if (status === 'not_applicable') return 'not_applicable'
  if (files.length === 0) return 'missing'
  return status === 'accepted' ? 'accepted' : 'not_accepted'
}

const countText = (outcome: Outcome, count: number): string => t(`checklist.counts.${outcome}`, { count })

export interface ChecklistProps<File extends ListedFile> extends Omit<FilesProps<File>, 'files'> {
  readonly items: readonly SealedItem<File>[]
  /** Below the title of an item. */
  about?(item: SealedItem<File>): ReactNode
}

/** Item by item, what was asked for, what came of it, and the files that were sealed for it. */
export function Checklist<File extends ListedFile>({ items, about, ...slots }: ChecklistProps<File>) {
  const outcomes = items.map(outcomeOf)
  const counts = OUTCOMES.map(
    (outcome) => [outcome, outcomes.filter((one) => one === outcome).length] as const,
  )
  return (
    <>
      <p className="strong">
        {joinList(
          counts.filter(([, count]) => count > 0).map(([outcome, count]) => countText(outcome, count)),
        )}
      </p>
      <p className="quiet">{t('checklist.whenSealed')}</p>
      <ul className="lines">
        {items.map((item, index) => (
          <li key={item.id} data-item={outcomes[index]}>
            <p className="row spread">
              <span className="strong">{nameText(item.title)}</span>
              <Status of="item" is={LOOK_OF[outcomes[index] ?? 'missing']}>
                {t(`checklist.outcomes.${outcomes[index] ?? 'missing'}`)}
              </Status>
            </p>
            {about?.(item)}
            {item.files.length > 0 && <Files files={item.files} {...slots} />}
          </li>
        ))}
      </ul>
    </>
  )
}

export interface KitFilesProps<File extends ListedFile> extends Omit<ChecklistProps<File>, 'items'> {
  /** As sealed: they name their files by path. */
  readonly items: readonly (Omit<SealedItem, 'id' | 'files'> & {
    readonly item_id: string
    readonly files: readonly string[]
  })[]
  readonly files: readonly File[]
  /** Of the files, if nothing was asked for. */
  readonly title: string
  readonly above?: ReactNode
  readonly more?: ReactNode
}

/** The files of a kit: those that were asked for, item by item, and the others. */
export function KitFiles<File extends ListedFile & { readonly path: string }>(props: KitFilesProps<File>) {
  const { items, files, above, more, about, ...slots } = props
  const byPath = new Map(files.map((file) => [file.path, file]))
  const asked = items.map(({ item_id: id, title, status, files: paths }) => ({
    id,
    title,
    status,
    files: paths.flatMap((path) => byPath.get(path) ?? []),
  }))
  const answers = new Set(asked.flatMap((item) => item.files))
  const rest = files.filter((file) => !answers.has(file))
  return (
    <>
      {asked.length > 0 && (
        <Card title={t('checklist.title')}>
          <Checklist items={asked} {...(about && { about })} {...slots} />
        </Card>
      )}
      {(asked.length === 0 || rest.length > 0 || more != null) && (
        <Card title={asked.length === 0 ? props.title : t('checklist.otherFiles', { count: rest.length })}>
          {above}
          <Files files={rest} {...slots} />
          {more}
        </Card>
      )}
    </>
  )
}
