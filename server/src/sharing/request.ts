import { BOUNDARY } from '@kitseal/kit/internal'
import { ITEM_STATUSES, type ItemStatus, type RequestCommentsTable } from '../database/request-schema.ts'
import type {
  EvidenceRequest,
  EvidenceRequestList,
  RequestComment,
  RequestFile,
  RequestItem,
} from './request-schemas.ts'
import { factsIn } from '../submissions/received-facts.ts'
import type { ItemRow, RequestFileRow, RequestParts, RequestView } from './request-queries.ts'

/** A request as the API returns it to the requester. */
export const requestRecord = (
  view: RequestView,
  parts: RequestParts,
  mails: EvidenceRequest['mails'],
): EvidenceRequest => ({
  ...requestSummary(
    view,
    parts.items.map(({ status }) => status),
  ),
  items: itemRecords(parts, 'requester'),
  other_files: otherFiles(parts),
  mails,
  rounds: parts.rounds.map(({ round, submission_id, kit_id, sender }) => ({
    round,
    submission_id,
    kit_id,
    sender: senderRecord(sender),
  })),
  boundary: BOUNDARY,
})

function senderRecord(sender: string | null): EvidenceRequest['rounds'][number]['sender'] {
  if (sender === null) return null
  const stated = factsIn(sender).find((fact) => fact.source === 'supplier')
  return stated?.name === undefined ? null : { name: stated.name }
}

/** A request in a list. */
export function requestSummary(
  view: RequestView,
  statuses: readonly ItemStatus[],
): EvidenceRequestList['data'][number] {
  return {
    evidence_request_id: view.request_id,
    workspace_id: view.workspace_id,
    title: view.title,
    message: view.message,
    status: view.status,
    due_at: view.due_at,
    series: view.series,
    profile: view.profile,
    recipients: recipientsOf(view),
    progress: progressOf(statuses),
    round: view.round,
    submission_id: view.submission_id,
    kit_id: view.kit_id,
    created_at: view.created_at,
    updated_at: view.updated_at,
    reminded_at: view.reminded_at,
    closed_at: view.closed_at,
  }
}

export const recipientsOf = ({ recipients }: Pick<RequestView, 'recipients'>): string[] =>
  JSON.parse(recipients) as string[]

export function progressOf(statuses: readonly ItemStatus[]): EvidenceRequest['progress'] {
  const counts = ITEM_STATUSES.map((each) => [each, statuses.filter((status) => status === each).length])
  return { items: statuses.length, ...(Object.fromEntries(counts) as Record<ItemStatus, number>) }
}

/** Whether a review is in effect and not in a kit yet, so that it can be taken back. */
export const canUndo = ({ review, review_round, status, handed_round }: ItemRow): boolean =>
  review !== null && status === review && (review_round ?? 0) >= handed_round

/** The requester sees what was submitted, and the names in a draft only while an item has nothing else. */
export const itemRecords = (parts: RequestParts, side: 'requester' | 'supplier'): RequestItem[] =>
  parts.items.map((item) => {
    const isDraft = side === 'supplier' || item.status === 'collected'
    const own = (files: readonly RequestFileRow[]) =>
      files.filter(({ name }) => name.startsWith(`${item.item_id}/`))
    const files = own(isDraft ? parts.files : parts.handed)
    const before = own(isDraft ? parts.before.newest : parts.before.handed)
    const isLater = (isDraft ? parts.before.newest : parts.before.handed).length > 0
    return {
      id: item.item_id,
      title: item.title,
      description: item.description,
      due_at: item.due_at,
      status: item.status,
      not_applicable: reasonOf(item, files.length > 0),
      can_undo: canUndo(item),
      files: files.map((file) => ({ ...fileRecord(file), change: isLater ? changeOf(file, before) : null })),
      removed_files: before.flatMap(({ name }) => (files.some((file) => file.name === name) ? [] : [name])),
      comments: parts.comments.filter(({ item_id }) => item_id === item.item_id).map(commentRecord),
    }
  })

/** What the supplier said counts only where there is no file. */
function reasonOf(
  { status, not_applicable, reason }: ItemRow,
  hasFiles: boolean,
): RequestItem['not_applicable'] {
  if (reason !== null && status === 'not_applicable') return { reason, by: 'requester' }
  return not_applicable === null || (hasFiles && status !== 'not_applicable')
    ? null
    : { reason: not_applicable, by: 'supplier' }
}

const changeOf = (
  { name, sha256 }: RequestFileRow,
  before: readonly RequestFileRow[],
): RequestFile['change'] => {
  const former = before.filter((file) => file.name === name)
  if (former.length === 0) return 'added'
  return former.some((file) => file.sha256 === sha256) ? null : 'replaced'
}

/** Files that are in the folder of no item. */
export const otherFiles = ({ items, files }: Pick<RequestParts, 'items' | 'files'>): RequestFile[] =>
  files.filter(({ name }) => itemOfFile(items, name) === undefined).map(fileRecord)

export const itemOfFile = <Item extends Pick<ItemRow, 'item_id'>>(
  items: readonly Item[],
  name: string,
): Item | undefined => items.find(({ item_id }) => name.startsWith(`${item_id}/`))

const fileRecord = ({ position, name, sha256, size_bytes }: RequestFileRow): RequestFile => {
  return { position, name, sha256, size_bytes: Number(size_bytes), change: null }
}

const commentRecord = ({ author, text, at }: RequestCommentsTable): RequestComment => {
  return { by: author, text, created_at: at }
}
