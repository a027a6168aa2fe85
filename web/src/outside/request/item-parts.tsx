import type { EvidenceRequest } from '@kitseal/client'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Remarks } from '../../parts/remarks.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'

type Item = EvidenceRequest['items'][number]

export interface ItemHeadProps {
  readonly item: Item
  /** What a status is called. */
  readonly statusText: (status: Item['status']) => string
}

/** What an item is called, and its status. */
export function ItemHead({ item: { id, title, status }, statusText }: ItemHeadProps) {
  return (
    <div className="item-head">
      <h2>
        <span className="item-id">{nameText(id)}</span> {nameText(title)}
      </h2>
      <Status of="item" is={status}>
        {statusText(status)}
      </Status>
    </div>
  )
}

/** When an item is due, while the supplier can still do something about it. */
export function ItemDue({ item: { due_at }, isOpen }: { readonly item: Item; readonly isOpen: boolean }) {
  if (due_at === null || !isOpen) return null
  return (
    <p className="quiet">
      {t('request.due')} <Time at={due_at} />
    </p>
  )
}

export interface ItemReasonProps {
  readonly item: Item
  /** What the two sides are called. */
  readonly names: Readonly<Record<'requester' | 'supplier', string>>
}

/** Why an item does not apply, and which files of the round before are gone. */
export function ItemReason({ item: { id, not_applicable, removed_files }, names }: ItemReasonProps) {
  return (
    <>
      {not_applicable !== null && (
        <p className="remark-text">
          {t('request.notApplicableBy', {
            who: names[not_applicable.by],
            reason: nameText(not_applicable.reason),
          })}
        </p>
      )}
      {removed_files.length > 0 && (
        <p className="quiet">
          {t('request.removed', {
            names: removed_files.map((name) => nameText(name.slice(id.length + 1))),
            count: removed_files.length,
          })}
        </p>
      )}
    </>
  )
}

/** What is different from the round before. */
export function FileChange({ change }: { readonly change: Item['files'][number]['change'] }) {
  return change === null ? null : <span className="quiet">{t(`request.changes.${change}`)}</span>
}

export interface ItemCommentsProps {
  readonly item: Item
  /** What the two sides are called: nobody knows which person of a side it was. */
  readonly names: Readonly<Record<Item['comments'][number]['by'], string>>
  /** The side of the reader. */
  readonly own?: Item['comments'][number]['by']
}

export function ItemComments({ item: { comments }, names, own }: ItemCommentsProps) {
  return (
    <Remarks
      remarks={comments.map(({ by, text, created_at }, index) => ({
        id: index,
        author: names[by],
        at: created_at,
        text,
        isOwn: by === own,
      }))}
    />
  )
}
