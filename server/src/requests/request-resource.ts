import { BOUNDARY } from '@kitseal/kit/internal'
import { type Static, type TObject, Type } from 'typebox'
import type { Reader } from '../database/unit.ts'
import { MailStatus } from '../deliveries/mail.ts'
import { type Answer, answer, pages, resource } from '../http/resource.ts'
import {
  Boundary,
  Count,
  DateTime,
  Nullable,
  NullableString,
  NullableTime,
  OneOf,
  Sha256,
} from '../http/schema-parts.ts'
import { factsIn } from '../submissions/provenance-report.ts'
import { Recipients } from './create-request.ts'
import { ITEM_SOURCES } from './program.ts'
import { type Comments, newestComments, type Remark, remarks } from './remarks.ts'
import {
  emailsOf,
  folderOf,
  hashOf,
  ITEM_STATUSES,
  type ItemView,
  memberIn,
  openParts,
  PERIOD_STATUSES,
  progressOf,
  reasonOf,
  REQUEST_STATUSES,
  requests,
  type RequestFile,
  type RequestView,
} from './request.ts'
import { requestMails } from './request-mail.ts'
import { canUndo } from './review-item.ts'

/** How many items there are, and how many of each status. */
const Progress = () =>
  Type.Object({
    items: Count(),
    ...Object.fromEntries(ITEM_STATUSES.map((status) => [status, Count()])),
  })

const FILE = {
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

function shownFile(
  { position, name, sha256, size_bytes }: RequestFile,
  before: readonly RequestFile[] = [],
): Static<typeof File> {
  const former = before.filter((file) => file.name === name)
  const isSame = before.length === 0 || former.some((file) => file.sha256 === sha256)
  const change = former.length === 0 ? 'added' : 'replaced'
  return { position, name, sha256, size_bytes, change: isSame ? null : change }
}

const COMMENT = { text: Type.String(), created_at: DateTime() }
const Comment = Type.Object({ by: OneOf(['requester', 'supplier']), ...COMMENT })

export const shownComment = ({ side, text, created_at }: Remark): Static<typeof Comment> => ({
  by: side === 'supplier' ? 'supplier' : 'requester',
  text: text ?? '',
  created_at,
})

const Item = Type.Object({
  title: Type.String(),
  description: NullableString('What to supply.'),
  due_at: NullableTime('When this item is due.'),
  id: Type.String(),
  status: OneOf(
    ITEM_STATUSES,
    '`collected`: answered in the draft of the supplier. `to_review`: submitted. A review ends when other files are submitted.',
  ),
  not_applicable: Type.Unsafe<ReturnType<typeof reasonOf>>({
    type: ['object', 'null'],
    description: 'Why it does not apply, and who says so.',
    required: ['reason', 'by'],
    properties: { reason: Type.String(), by: OneOf(['requester', 'supplier']) },
  }),
  can_undo: Type.Boolean({ description: 'Whether the review can be taken back: no kit has it yet.' }),
  unchanged: Type.Boolean({
    description: 'Whether it was sent back, and its files are still the same in a later round.',
  }),
  files: Type.Array(File, {
    description: 'The submitted files. While it is `collected`, the names in the draft of the supplier.',
  }),
  removed_files: Type.Array(Type.String(), { description: 'Names of files that the round before had.' }),
  comments: Type.Array(Comment, { description: 'The newest, oldest first.' }),
})

/** The supplier sees the draft. The requester sees what was submitted, and the names in a draft only while an item has nothing else. */
export function shownItem(
  view: RequestView,
  item: ItemView,
  side: 'requester' | 'supplier',
  comments: Comments,
): Static<typeof Item> {
  const { newest, handed, files } = view
  const { item_id: id, title, description, due_at, status } = item
  const isDraft = side === 'supplier' || status === 'collected'
  const [own, round] = isDraft ? [item.drafted, newest] : [item.files, handed]
  const before = isDraft && newest !== handed ? files.handed : files.before
  return {
    title,
    description,
    due_at,
    id,
    status,
    not_applicable: reasonOf(item, own.length > 0),
    can_undo: canUndo(view, item),
    unchanged:
      item.review === 'needs_changes' &&
      (round?.round ?? 0) > (item.review_round ?? 0) &&
      item.reviewed_files === hashOf(own),
    files: own.map((file) => shownFile(file, before)),
    removed_files: before
      .map(({ name }) => name)
      .filter((name) => folderOf(name) === id && !own.some((file) => file.name === name)),
    comments: comments.of(item).map(shownComment),
  }
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
const SUMMARY = {
  evidence_request_id: Type.String(),
  status: OneOf(
    REQUEST_STATUSES,
    '`open`: the supplier has something to do. `submitted`: the requester has. `accepted`: every item is accepted or not applicable.',
  ),
  progress: Progress(),
  submission_id: NullableString('The submission of the newest round.'),
  kit_id: NullableString('The newest kit.'),
}

/** What a list has of a request too. */
export const summaryOf = ({ items, ...view }: RequestView) => ({
  ...view,
  evidence_request_id: view.request_id,
  progress: progressOf(items),
  submission_id: view.newest?.submission_id ?? null,
})

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

/** A request with everything about it, and in the response that creates it with its link. */
export async function shown(reader: Reader, view: RequestView, link?: Link) {
  const comments = await newestComments(reader, [view])
  return {
    ...summaryOf(view),
    items: view.items.map((item) => shownItem(view, item, 'requester', comments)),
    other_files: otherFiles(view),
    older_comments: comments.older,
    rounds: view.rounds.map(({ round, submission_id, kit_id, sender }) => {
      const name = factsIn(sender).find((fact) => fact.source === 'supplier')?.name
      return { round, submission_id, kit_id, sender: name === undefined ? null : { name } }
    }),
    mails: await requestMails(reader, view),
    link,
  }
}
export type Shown = Awaited<ReturnType<typeof shown>>

export const Detail = resource<typeof requests.columns, Shown>(
  'EvidenceRequest',
  'Evidence that a supplier is asked for, item by item. Statuses record what people said.',
  requests,
  {
    only: LISTED,
    and: {
      ...SUMMARY,
      items: Type.Array(Item),
      other_files: Type.Array(File, { description: 'Files of the newest round that belong to no item.' }),
      older_comments: Count('Comments that are not in `items`, but in the list of comments.'),
      rounds: Type.Array(ROUND, { description: 'Oldest first.' }),
      mails: Type.Array(MAIL, { description: 'What became of the mail to each recipient.' }),
      link: Type.Optional(
        Type.Object(LINK, {
          description:
            'Only in the response that creates the request. It is not stored and cannot be shown again.',
        }),
      ),
    },
  },
)
export const Created: Answer<Shown> = {
  ...Detail,
  show: ({ link, ...view }, isFirst) => Detail.show({ ...view, link: isFirst ? link : undefined }, isFirst),
}
export const List = pages(
  'EvidenceRequestList',
  'Newest first.',
  'requests',
  resource<typeof requests.columns, ReturnType<typeof summaryOf>>('', '', requests, {
    only: LISTED,
    and: SUMMARY,
    boundary: 'none',
  }),
)
export const NewLink = answer<Link & { readonly evidence_request_id: string }>(
  'RequestLink',
  'A link for the supplier. It is not stored and cannot be shown again.',
  { evidence_request_id: Type.String(), ...LINK, boundary: Boundary() },
  (link) => ({ ...link, boundary: BOUNDARY }),
)
export const ListedComment = resource<typeof remarks.columns>('', '', remarks, {
  only: ['comment_id', 'created_at'],
  boundary: 'none',
  and: {
    item_id: Type.String(),
    by: { schema: Comment.properties.by, from: (remark) => shownComment(remark).by },
    text: { schema: Type.String(), from: ({ text }) => text ?? '' },
  },
})

const PERIOD = {
  period: Type.String({ description: 'Its name, such as `2026-Q4`, `2026-11`, `2026-H2`, `2026` or `1`.' }),
  from: Type.String({ format: 'date', description: 'Its first day.' }),
  to: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    description: 'Its last day. Null without a cadence.',
  }),
  status: OneOf(
    PERIOD_STATUSES,
    '`failed`: the files were not sealed because of their findings. They can be corrected, and the period sealed again.',
  ),
  due_at: NullableTime('When the last of its items is due.'),
  submission_id: Type.String({ description: 'Its draft, and then the submission of its kit.' }),
  failed_submission_id: NullableString('If its status is `failed`, the submission with the findings.'),
  kit_id: NullableString('Null until it is sealed.'),
  progress: Progress(),
  opened_at: DateTime(),
  sealed_at: NullableTime('When the kit was issued.'),
}
/** In a board, and in a list of programs. */
export const PeriodSummary = Type.Object(PERIOD)

export function shownPeriod(view: RequestView) {
  const { period, from_on: from, to_on: to, status, newest, items, created_at } = view
  const dates = items.flatMap((item) => item.due_at ?? [])
  return {
    period,
    from,
    to,
    status,
    due_at: dates.toSorted().at(-1) ?? null,
    submission_id: newest?.submission_id,
    failed_submission_id: status === 'failed' ? (view.rounds.at(-2)?.submission_id ?? null) : null,
    kit_id: status === 'sealed' ? view.kit_id : null,
    progress: progressOf(items),
    opened_at: created_at,
    sealed_at: status === 'sealed' ? (newest?.issued_at ?? null) : null,
  }
}

const PeriodItem = Type.Object({
  title: Type.String(),
  description: NullableString('What to supply.'),
  item_id: Type.String({ description: 'Also the folder of its files in the kit.' }),
  owner: NullableString('The email address of the member who supplies it.'),
  source: OneOf(ITEM_SOURCES),
  recipients: Type.Array(Type.String(), { description: 'Email addresses of the supplier.' }),
  due_at: DateTime(),
  is_late: Type.Boolean({ description: 'Whether it is past due, with nothing to review.' }),
  status: OneOf(
    ITEM_STATUSES,
    '`collected`: it has files. `to_review`: someone asks for a review, or its files changed after one.',
  ),
  not_applicable: NullableString('Why it does not apply.'),
  evidence_request_id: NullableString('The request to the supplier.'),
  files: Type.Array(
    Type.Object({
      submission_id: Type.String({ description: 'The draft of the period, or the answer to the request.' }),
      ...FILE,
      same_as: Type.Unsafe<ReturnType<SameAs>>({
        type: ['object', 'null'],
        description: 'The file of the period before with the same bytes. Its name can differ.',
        required: ['period', 'name'],
        properties: { period: Type.String(), name: Type.String() },
      }),
    }),
  ),
  comments: Type.Array(
    Type.Object({
      by: OneOf(['workspace', 'supplier']),
      email: NullableString('Of the member who wrote it.'),
      ...COMMENT,
    }),
    { description: 'The newest, oldest first.' },
  ),
})

type SameAs = (file: RequestFile) => { readonly period: string; readonly name: string } | null

/** Finds the file of the period before: one of the same name first, and else one with the same bytes. */
export function sameAsIn(before: RequestView | undefined): SameAs {
  const earlier = before?.items.flatMap(({ files }) => files) ?? []
  const names = new Set(earlier.map(({ name, sha256 }) => `${sha256} ${name}`))
  const bySha256 = new Map(earlier.map(({ name, sha256 }) => [sha256, name]))
  return ({ name, sha256 }) => {
    const same = names.has(`${sha256} ${name}`) ? name : bySha256.get(sha256)
    return same === undefined ? null : { period: before?.period ?? '', name: same }
  }
}

/** A period with its items, and those of the period before to compare them with. */
export async function shownWithItems(reader: Reader, view: RequestView, before: RequestView | undefined) {
  const comments = await newestComments(reader, [view, ...view.parts])
  const written = view.items.flatMap((item) => comments.of(item))
  const emails = await emailsOf(
    reader,
    written.map(({ written_by }) => memberIn(written_by)),
  )
  const sameAs = sameAsIn(before)
  const shownOf = (item: ItemView): Static<typeof PeriodItem> => ({
    title: item.title,
    description: item.description,
    item_id: item.item_id,
    owner: item.owner,
    source: item.part === null ? 'internal' : 'request',
    recipients: [...(item.part?.recipients ?? [])],
    due_at: item.due_at ?? '',
    is_late: item.is_late,
    status: item.status,
    not_applicable: item.status === 'not_applicable' ? (item.reason ?? item.not_applicable) : null,
    evidence_request_id: item.part?.request_id ?? null,
    files: item.files.map((file) => {
      const { submission_id, position, name, sha256, size_bytes } = file
      return { submission_id, position, name, sha256, size_bytes, same_as: sameAs(file) }
    }),
    comments: comments.of(item).map((remark) => ({
      by: remark.side === 'supplier' ? 'supplier' : 'workspace',
      email: emails.get(memberIn(remark.written_by)) ?? null,
      text: remark.text ?? '',
      created_at: remark.created_at,
    })),
  })
  return {
    program_id: view.program_id,
    ...shownPeriod(view),
    items: view.items.map(shownOf),
    older_comments: comments.older,
    open_requests: openParts(view).map(({ request_id, recipients, items }) => ({
      evidence_request_id: request_id,
      recipients,
      items: items.map(({ item_id }) => item_id),
    })),
  }
}

export const Period = answer<Awaited<ReturnType<typeof shownWithItems>>>(
  'Period',
  'A period of a program, with its items and their files.',
  {
    program_id: Type.String(),
    ...PERIOD,
    items: Type.Array(PeriodItem, { description: 'In the order of the program.' }),
    older_comments: Count(
      'Comments that are not in `items`, but in the lists of comments of the period and its requests.',
    ),
    open_requests: Type.Array(
      Type.Object({
        evidence_request_id: Type.String(),
        recipients: Recipients(),
        items: Type.Array(Type.String()),
      }),
      {
        description:
          'Requests to suppliers that are not accepted. Sealing the period closes them, and tells their recipients.',
      },
    ),
    boundary: Boundary(),
  },
  (period) => ({ ...period, boundary: BOUNDARY }),
)
