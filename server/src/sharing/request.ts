import { BOUNDARY } from '@kitseal/kit'
import type { RequestCommentsTable, RequestItemsTable } from '../database/request-schema.ts'
import type {
  EvidenceRequest,
  EvidenceRequestList,
  ItemStatus,
  RequestComment,
  RequestFile,
  RequestItem,
} from './request-schemas.ts'
import type { RequestFileRow, RequestParts, RequestView } from './request-queries.ts'

/** A request as the API returns it. */
export const requestRecord = (view: RequestView, parts: RequestParts): EvidenceRequest => ({
  ...requestSummary(view),
  items: itemRecords(view, parts),
  other_files: otherFiles(parts),
  rounds: parts.rounds.map(({ round, submission_id, kit_id }) => ({ round, submission_id, kit_id })),
  boundary: BOUNDARY,
})

/** A request in a list. */
export function requestSummary(view: RequestView): EvidenceRequestList['data'][number] {
  return {
    evidence_request_id: view.request_id,
    workspace_id: view.workspace_id,
    title: view.title,
    message: view.message,
    status: view.status,
    due_at: view.due_at,
    repeat: view.repeat,
    series: view.series,
    profile: view.profile,
    recipients: recipientsOf(view),
    progress: progressOf(view),
    round: view.round,
    submission_id: view.submission_id,
    kit_id: view.kit_id,
    created_at: view.created_at,
    updated_at: view.updated_at,
    reminded_at: view.reminded_at,
    closed_at: view.closed_at,
    next_evidence_request_id: view.next_request_id,
  }
}

export const recipientsOf = ({ recipients }: Pick<RequestView, 'recipients'>): string[] =>
  JSON.parse(recipients) as string[]

export const progressOf = (view: RequestView): EvidenceRequest['progress'] => ({
  items: Number(view.items),
  received: Number(view.received),
  accepted: Number(view.accepted),
  needs_changes: Number(view.needs_changes),
})

export const itemRecords = (
  view: RequestView,
  { items, comments, files }: Pick<RequestParts, 'items' | 'comments' | 'files'>,
): RequestItem[] =>
  items.map((item) => {
    const own = files.filter(({ name }) => name.startsWith(`${item.item_id}/`))
    return {
      id: item.item_id,
      title: item.title,
      description: item.description,
      due_at: item.due_at,
      status: itemStatus(view, item, own.length),
      files: own.map(fileRecord),
      comments: comments.filter(({ item_id }) => item_id === item.item_id).map(commentRecord),
    }
  })

/** Files that are in the folder of no item. */
export const otherFiles = ({ items, files }: Pick<RequestParts, 'items' | 'files'>): RequestFile[] =>
  files.filter(({ name }) => !items.some(({ item_id }) => name.startsWith(`${item_id}/`))).map(fileRecord)

const SEALED: ReadonlySet<RequestView['job_status']> = new Set(['SUBMITTED', 'PASS', 'ISSUED'] as const)

/** As in STATUS of request-queries.ts: a review counts until a later round is handed over. */
function itemStatus(
  { round, job_status }: RequestView,
  { review, review_round }: RequestItemsTable,
  files: number,
): ItemStatus {
  if (review === 'accepted') return 'accepted'
  if (review === 'needs_changes' && (review_round === round || !SEALED.has(job_status)))
    return 'needs_changes'
  return files > 0 ? 'received' : 'open'
}

const fileRecord = ({ position, name, sha256, size_bytes }: RequestFileRow): RequestFile => {
  return { position, name, sha256, size_bytes: Number(size_bytes) }
}

const commentRecord = ({ author, text, at }: RequestCommentsTable): RequestComment => {
  return { by: author, text, created_at: at }
}
