import type { EvidenceRequest } from '@kitseal/client'
import { nameText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import type { Remark } from './remarks.tsx'
import { Status } from './status.tsx'
import { Time } from './time.tsx'

export type RequestItem = EvidenceRequest['items'][number]

/** What the two sides are called: nobody knows which person of a side it was. */
type Sides = Readonly<Record<'requester' | 'supplier', string>>

export interface ItemHeadProps {
  readonly item: RequestItem
  /** What its status is called. */
  readonly status: string
  /** While the supplier can still do something about it. */
  readonly isDue: boolean
}

/** What an item of a request is called, its status, and when it is due. */
export function ItemHead({ item, status, isDue }: ItemHeadProps) {
  return (
    <>
      <div className="item-head">
        <h2>
          <span className="item-id">{nameText(item.id)}</span> {nameText(item.title)}
        </h2>
        <Status of="item" is={item.status}>
          {status}
        </Status>
      </div>
      {item.due_at !== null && isDue && (
        <p className="quiet">
          {t('request.due')} <Time at={item.due_at} />
        </p>
      )}
    </>
  )
}

/** Why an item does not apply, and which files of the round before are gone. */
export const itemNotes = ({ id, not_applicable: reason, removed_files }: RequestItem, sides: Sides) => [
  reason !== null && t('request.notApplicableBy', { who: sides[reason.by], reason: nameText(reason.reason) }),
  removed_files.length > 0 &&
    t('request.removed', {
      names: removed_files.map((name) => nameText(name.slice(id.length + 1))),
      count: removed_files.length,
    }),
]

export const itemRemarks = ({ comments }: RequestItem, sides: Sides, own: keyof Sides): readonly Remark[] =>
  comments.map(({ by, text, created_at }, index) => ({
    id: index,
    author: sides[by],
    at: created_at,
    text,
    isOwn: by === own,
  }))
