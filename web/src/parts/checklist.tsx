import type { ReactNode } from 'react'
import { joinList } from '@kitseal/kit/in-browser/words'
import { nameText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
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

/** Of items that name their files by path, with those of these files that there are. */
export function sealedItems<File extends ListedFile & { readonly path: string }>(
  items: readonly (Omit<SealedItem, 'id' | 'files'> & {
    readonly item_id: string
    readonly files: readonly string[]
  })[],
  files: readonly File[],
): readonly SealedItem<File>[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return items.map(({ item_id, title, status, files: paths }) => ({
    id: item_id,
    title,
    status,
    files: paths.flatMap((path) => byPath.get(path) ?? []),
  }))
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
