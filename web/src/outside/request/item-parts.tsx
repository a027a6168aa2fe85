import type { EvidenceRequest } from '@kitseal/client'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { Time, type TimeProps } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'

type Item = EvidenceRequest['items'][number]

export const ITEM_ICONS: Readonly<Record<Item['status'], IconName>> = {
  missing: 'dash',
  collected: 'file',
  to_review: 'clock',
  needs_changes: 'warning',
  accepted: 'check',
  not_applicable: 'dash',
}

export interface ItemHeadProps {
  readonly item: Item
  /** What a status is called. */
  readonly statusText: (status: Item['status']) => string
}

/** What an item is called, and its status, which differs by word and shape, not only by colour. */
export function ItemHead({ item: { id, title, status }, statusText }: ItemHeadProps) {
  return (
    <div className="item-head">
      <h2>
        <span className="item-id">{nameText(id)}</span> {nameText(title)}
      </h2>
      <ItemStatusBadge status={status} statusText={statusText} />
    </div>
  )
}

export function ItemStatusBadge({
  status,
  statusText,
}: Pick<Item, 'status'> & Pick<ItemHeadProps, 'statusText'>) {
  return (
    <span className={`item-status ${status}`}>
      <Icon name={ITEM_ICONS[status]} size={14} />
      {statusText(status)}
    </span>
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
        <p className="item-text">
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
  return change === null ? null : <span className="file-change">{t(`request.changes.${change}`)}</span>
}

export interface ItemCommentsProps {
  readonly item: Item
  /** What the two sides are called. */
  readonly names: Readonly<Record<Item['comments'][number]['by'], string>>
  readonly as?: TimeProps['as']
}

export function ItemComments({ item: { comments }, names, as }: ItemCommentsProps) {
  if (comments.length === 0) return null
  return (
    <ul className="item-comments">
      {comments.map(({ by, text, created_at }, index) => (
        <li key={index} className={by}>
          <span className="quiet">
            {names[by]}, <Time at={created_at} {...(as === undefined ? {} : { as })} />
          </span>
          <p className="item-text">{nameText(text)}</p>
        </li>
      ))}
    </ul>
  )
}
