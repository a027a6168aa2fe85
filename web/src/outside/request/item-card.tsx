import type { Finding } from '../../core/findings.ts'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Remarks } from '../../parts/remarks.tsx'
import { ItemHead, itemNotes, itemRemarks } from '../../parts/request-item.tsx'
import { type ReviewAction, ReviewBar } from '../../parts/review-bar.tsx'
import { ItemUploads, type Uploads } from '../../upload/upload-list.tsx'
import type { Item, ItemFile } from './supplier-api.ts'

interface CardProps {
  readonly uploads: Uploads
  /** What was found in the files of the last submission, accepted or not. */
  readonly findings: readonly Finding[]
  onRemove(position: number): void
}

export interface ItemCardProps extends CardProps {
  readonly item: Item
  /** It has changes that are not submitted. */
  readonly isChanged: boolean
  /** Files can be added and removed. */
  readonly isOpen: boolean
  readonly canComment: boolean
  onComment(text: string): Promise<void>
  /** Null takes it back. */
  onNotApplicable(reason: string | null): Promise<void>
}

/** What the requester has decided is locked until it is sent back. */
const LOCKED: ReadonlySet<Item['status']> = new Set(['accepted', 'not_applicable'])

/** One item: what to supply, its files, a drop target, and comments. */
export function ItemCard({ item, isChanged, isOpen, canComment, ...card }: ItemCardProps) {
  const canChange = isOpen && !LOCKED.has(item.status)
  const folder = `${item.id}/`
  const outgoing = card.uploads.files.filter(({ name }) => name.startsWith(folder))
  // Why it came back is what to read first.
  const isReturned = item.status === 'needs_changes'
  const names = { requester: t('request.by.requester'), supplier: t('request.by.supplier') }
  const comments = <Remarks remarks={itemRemarks(item, names, 'supplier')} />
  const status = isChanged && item.status === 'to_review' ? 'collected' : item.status
  const isEmpty = item.files.length + outgoing.length === 0
  const written = (of: 'comment' | 'notApplicable', run: (text: string) => Promise<void>): ReviewAction => ({
    text: t(`request.forms.${of}.open`),
    label: t(`request.forms.${of}.label`, { item: item.title }),
    look: 'quiet',
    write: { hint: t(`request.forms.${of}.hint`), send: t(`request.forms.${of}.send`), isLabelHidden: true },
    run,
  })
  return (
    <section className={`card item-card stack ${item.status}`} tabIndex={-1} aria-label={item.title}>
      <ItemHead item={{ ...item, status }} status={t(`request.statuses.${status}`)} isDue={canChange} />
      {isReturned && comments}
      {item.description !== null && <p className="remark-text">{nameText(item.description)}</p>}
      {itemNotes(item, names).map((note) => note !== false && <p key={note}>{note}</p>)}
      {!isReturned && comments}
      <ItemUploads
        {...card}
        arrived={item.files}
        name={`${item.id} ${item.title}`}
        folder={folder}
        outgoing={outgoing}
        isEmpty={isEmpty}
        canAdd={canChange && item.not_applicable === null}
        onRemove={canChange ? card.onRemove : undefined}
      />
      <ReviewBar
        actions={[
          canComment && written('comment', card.onComment),
          canChange &&
            item.not_applicable === null &&
            isEmpty &&
            written('notApplicable', card.onNotApplicable),
          canChange &&
            item.not_applicable?.by === 'supplier' && {
              text: t('request.applies'),
              look: 'quiet',
              run: () => card.onNotApplicable(null),
            },
        ]}
      />
    </section>
  )
}

export interface OtherFilesProps extends CardProps {
  readonly files: readonly ItemFile[]
  readonly isOpen: boolean
  isOther(name: string): boolean
}

/** Files that belong to no item. */
export function OtherFiles({ files, isOpen, isOther, ...card }: OtherFilesProps) {
  const title = t('request.other')
  const outgoing = card.uploads.files.filter(({ name }) => isOther(name))
  return (
    <section className="card item-card stack" tabIndex={-1} aria-label={title}>
      <h2>{title}</h2>
      <ItemUploads
        {...{ ...card, name: title, folder: '', arrived: files, outgoing }}
        isEmpty={files.length + outgoing.length === 0}
        canAdd={isOpen}
        onRemove={isOpen ? card.onRemove : undefined}
      />
    </section>
  )
}
