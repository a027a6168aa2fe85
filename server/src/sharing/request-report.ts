import { BOUNDARY } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import type { EvidenceRequestId } from '../runtime/identifiers.ts'
import { REQUEST_REPORT_PATH } from '../kits/intake-record.ts'
import { type MadeFile, madeJson } from '../kits/pack-files.ts'
import type { SealedFile } from '../submissions/seal-evidence.ts'
import { readWorkspaceInKit } from '../access/supplier.ts'
import { itemRecords } from './request.ts'
import { readParts, readRequest } from './request-queries.ts'

/** reports/request.json of a submission that answers a request: what was asked, and the answer to each item. */
export async function requestReports(
  db: Db,
  evidenceRequestId: EvidenceRequestId | null,
  files: readonly SealedFile[],
): Promise<readonly MadeFile[]> {
  const view = evidenceRequestId === null ? undefined : await readRequest(db, evidenceRequestId)
  if (view === undefined) return []
  const parts = await readParts(db, view)
  const { round } = view
  const previous = parts.rounds.findLast((each) => each.round < round && each.kit_id !== null)
  const inFolder = (id: string) => files.filter(({ path }) => path.startsWith(`data/${id}/`))
  const answered = new Set(parts.items.flatMap(({ item_id }) => inFolder(item_id)))
  return [
    madeJson(REQUEST_REPORT_PATH, {
      report: 'request',
      request_id: view.request_id,
      title: view.title,
      message: view.message,
      requested_by: (await readWorkspaceInKit(db, view.workspace_id)).supplier,
      requested_at: view.created_at,
      due_at: view.due_at,
      series: view.series,
      profile: view.profile,
      round,
      previous_kit_id: previous?.kit_id ?? null,
      items: itemRecords(parts, 'supplier').map(({ id, title, description, due_at, status, ...item }) => {
        const { not_applicable, comments } = item
        return {
          id,
          title,
          description,
          due_at,
          status,
          not_applicable,
          comments,
          files: inFolder(id).map(fileOf),
        }
      }),
      other_files: files.filter((file) => !answered.has(file)).map(fileOf),
      statement:
        'What the requester asked for, and the files that were sent for each item through the link of the request. Statuses and ' +
        'comments are what people said until the files were submitted. The service judges nothing.',
      boundary: BOUNDARY,
    }),
  ]
}

const fileOf = ({ path, sha256, sizeBytes }: SealedFile) => ({ path, sha256, size_bytes: sizeBytes })
