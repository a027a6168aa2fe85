import { BOUNDARY } from '@kitseal/kit/internal'
import { type Static, type TObject, Type } from 'typebox'
import type { Reader } from '../database/unit.ts'
import { MailStatus } from '../deliveries/mail.ts'
import { type Answer, answer, member, type Members, pages, resource } from '../http/resource.ts'
import { Boundary, Count, DateTime, NullableString, Sha256, OneOf, Nullable } from '../http/schema-parts.ts'
import { factsIn } from '../submissions/provenance-report.ts'
import { type Comments, newestComments, type Remark, remarks } from './remarks.ts'
import {
  folderOf,
  hashOf,
  ITEM_STATUSES,
  type ItemView,
  type Progress,
  progressOf,
  reasonOf,
  REQUEST_STATUSES,
  requestItems,
  requests,
  type RequestFile,
  type RequestView,
} from './request.ts'
import { requestMails } from './request-mail.ts'
import { canUndo } from './review-item.ts'

/** How many items there are, and how many of each status. */
export const ProgressSchema = () =>
  Type.Unsafe<Progress>(
    Type.Object({
      items: Count(),
      ...Object.fromEntries(ITEM_STATUSES.map((status) => [status, Count()])),
    }),
  )

export const FILE = {
  position: Count(),
  name: Type.String({ description: 'With the folder of the item.' }),
  sha256: Sha256(),
  size_bytes: Count(),
}
const File = Type.Object({
  ...FILE,
  change: Type.Unsafe<'added' | 'replaced' | null>({
    type: ['string', 'null'],
    enum: ['added', 'replaced', null],
    description: 'What is different from the round that was submitted before. Null in the first one.',
  }),
})

const shownFile = ({ position, name, sha256, size_bytes }: RequestFile, before?: readonly RequestFile[]) => {
  const former = before?.filter((file) => file.name === name)
  const isSame = former === undefined || former.some((file) => file.sha256 === sha256)
  const change = isSame ? null : former.length === 0 ? ('added' as const) : ('replaced' as const)
  return { position, name, sha256, size_bytes, change }
}

export const COMMENT = { text: Type.String(), created_at: DateTime() }
const Comment = Type.Object({ by: OneOf(['requester', 'supplier']), ...COMMENT })
export const shownComment = ({ side, text, created_at }: Remark) => ({
  by: side === 'supplier' ? ('supplier' as const) : ('requester' as const),
  text: text ?? '',
  created_at,
})

/** An item as one side sees it: the supplier what is in the draft, the requester what was submitted. */
interface ShownItem extends ItemView {
  readonly shownFiles: readonly RequestFile[]
  /** Those of the round before. */
  readonly before: readonly RequestFile[]
  readonly isLater: boolean
  readonly isUnchanged: boolean
  readonly canUndo: boolean
  readonly comments: readonly Remark[]
}

const Item = resource('RequestItem', '', requestItems, {
  only: ['title', 'description', 'due_at'],
  boundary: 'none',
  and: {
    id: member(Type.String(), ({ item_id }: ShownItem) => item_id),
    status: OneOf(
      ITEM_STATUSES,
      '`collected`: answered in the draft of the supplier. `to_review`: submitted. A review ends when other files are submitted.',
    ),
    not_applicable: member(
      Type.Unsafe<ReturnType<typeof reasonOf>>({
        type: ['object', 'null'],
        description: 'Why it does not apply, and who says so.',
        required: ['reason', 'by'],
        properties: { reason: Type.String(), by: OneOf(['requester', 'supplier']) },
      }),
      (item: ShownItem) => reasonOf(item, item.shownFiles.length > 0),
    ),
    can_undo: member(
      Type.Boolean({ description: 'Whether the review can be taken back: no kit has it yet.' }),
      (item: ShownItem) => item.canUndo,
    ),
    unchanged: member(
      Type.Boolean({
        description: 'Whether it was sent back, and its files are still the same in a later round.',
      }),
      (item: ShownItem) => item.isUnchanged,
    ),
    files: member(
      Type.Array(File, {
        description: 'The submitted files. While it is `collected`, the names in the draft of the supplier.',
      }),
      ({ shownFiles, before, isLater }: ShownItem) =>
        shownFiles.map((file) => shownFile(file, isLater ? before : undefined)),
    ),
    removed_files: member(
      Type.Array(Type.String(), { description: 'Names of files that the round before had.' }),
      ({ shownFiles, before }: ShownItem) =>
        before.flatMap(({ name }) => (shownFiles.some((file) => file.name === name) ? [] : [name])),
    ),
    comments: member(
      Type.Array(Comment, { description: 'The newest, oldest first.' }),
      ({ comments }: ShownItem) => comments.map(shownComment),
    ),
  },
})

/** The requester sees what was submitted, and the names in a draft only while an item has nothing else. */
export function shownItems(view: RequestView, side: 'requester' | 'supplier', comments: Comments) {
  const { newest, handed, files } = view
  const beforeDraft = newest === handed ? files.before : files.handed
  return view.items.map((item) => {
    const isDraft = side === 'supplier' || item.status === 'collected'
    const [shownFiles, before] = isDraft ? [item.drafted, beforeDraft] : [item.files, files.before]
    const round = (isDraft ? newest : handed)?.round ?? 0
    return Item.showItem({
      ...item,
      shownFiles,
      before: before.filter(({ name }) => folderOf(name) === item.item_id),
      isLater: before.length > 0,
      isUnchanged:
        item.review === 'needs_changes' &&
        round > (item.review_round ?? 0) &&
        item.reviewed_files === hashOf(shownFiles),
      canUndo: canUndo(view, item),
      comments: comments.of(item),
    })
  })
}

/** Files that are in the folder of no item. */
export const otherFiles = ({ items, files }: RequestView) =>
  files.drafted
    .filter(({ name }) => items.every(({ item_id }) => item_id !== folderOf(name)))
    .map((file) => shownFile(file))

const LISTED = [
  'title',
  'message',
  'due_at',
  'series',
  'profile',
  'recipients',
  'round',
  'created_at',
  'updated_at',
  'reminded_at',
  'closed_at',
] as const
const VIEWED: Members<RequestView> = {
  evidence_request_id: member(Type.String(), ({ request_id }: RequestView) => request_id),
  status: OneOf(
    REQUEST_STATUSES,
    '`open`: the supplier has something to do. `submitted`: the requester has. `accepted`: every item is accepted or not applicable.',
  ),
  progress: member(ProgressSchema(), ({ items }: RequestView) => progressOf(items)),
  submission_id: member(
    NullableString('The submission of the newest round.'),
    ({ newest }: RequestView) => newest?.submission_id ?? null,
  ),
  kit_id: NullableString('The newest kit.'),
}

const LINK = {
  url: Type.String({ description: 'For the supplier. Anyone who has it can answer the request.' }),
  expires_at: DateTime(),
}
export type Link = Static<TObject<typeof LINK>>

const MAIL = Type.Object({
  to: Type.String(),
  request: Nullable(MailStatus, 'Null if it was not mailed, or more than 90 days ago.'),
  reminder: Nullable(MailStatus, 'The last one.'),
})
const ROUND = Type.Object({
  round: Type.Integer({ minimum: 1 }),
  submission_id: Type.String(),
  kit_id: NullableString('Null until the kit is issued.'),
  sender: Type.Union(
    [
      Type.Object({ name: Type.String({ description: 'As the person wrote it. Nobody has verified it.' }) }),
      Type.Null(),
    ],
    { description: 'Who submitted it. Null if that person said nothing.' },
  ),
})

export interface Shown extends RequestView {
  readonly comments: Comments
  readonly mails: Awaited<ReturnType<typeof requestMails>>
  /** For the first response alone. */
  readonly link?: Link
}

export const Detail = resource(
  'EvidenceRequest',
  'Evidence that a supplier is asked for, item by item. Statuses record what people said.',
  requests,
  {
    only: LISTED,
    and: {
      ...VIEWED,
      items: member(Type.Array(Type.Unsafe<object>(Item.item)), (view: Shown) =>
        shownItems(view, 'requester', view.comments),
      ),
      other_files: member(
        Type.Array(File, { description: 'Files of the newest round that belong to no item.' }),
        otherFiles,
      ),
      older_comments: member(
        Count('Comments that are not in `items`, but in the list of comments.'),
        ({ comments }: Shown) => comments.older,
      ),
      rounds: member(Type.Array(ROUND, { description: 'Oldest first.' }), ({ rounds }: Shown) =>
        rounds.map(({ round, submission_id, kit_id, sender }) => {
          const stated = factsIn(sender).find((fact) => fact.source === 'supplier')
          return {
            round,
            submission_id,
            kit_id,
            sender: stated?.name === undefined ? null : { name: stated.name },
          }
        }),
      ),
      mails: Type.Array(MAIL, { description: 'What became of the mail to each recipient.' }),
      link: {
        schema: Type.Optional(
          Type.Object(LINK, {
            description:
              'Only in the response that creates the request. It is not stored and cannot be shown again.',
          }),
        ),
        from: ({ link }: Shown) => link,
      },
    },
  },
)
export const Created: Answer<Shown> = {
  ...Detail,
  show: ({ link, ...view }, isFirst) =>
    Detail.show({ ...view, ...(isFirst && link !== undefined && { link }) }, isFirst),
}
export const List = pages(
  'EvidenceRequestList',
  'Newest first.',
  'requests',
  resource<typeof requests.columns, RequestView>('', '', requests, {
    only: LISTED,
    and: VIEWED,
    boundary: 'none',
  }),
)
export const NewLink = answer<Link & { readonly evidence_request_id: string }>(
  'RequestLink',
  'A link for the supplier. It is not stored and cannot be shown again.',
  { evidence_request_id: Type.String(), ...LINK, boundary: Boundary() },
  (link) => ({ ...link, boundary: BOUNDARY }),
)
export const ListedComment = resource('RequestComment', '', remarks, {
  only: ['comment_id', 'created_at'],
  boundary: 'none',
  and: {
    item_id: member(Type.String(), ({ item_id }: Remark) => item_id ?? ''),
    by: member(Comment.properties.by, (remark: Remark) => shownComment(remark).by),
    text: member(Type.String(), ({ text }: Remark) => text ?? ''),
  },
})

export async function shown(reader: Reader, view: RequestView): Promise<Shown> {
  return {
    ...view,
    comments: await newestComments(reader, [view]),
    mails: await requestMails(reader, view),
  }
}
