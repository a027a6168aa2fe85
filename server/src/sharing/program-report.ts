import { BOUNDARY } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import { PROGRAM_REPORT_PATH } from '../kits/intake-record.ts'
import { type MadeFile, madeJson } from '../kits/pack-files.ts'
import { actorOf } from '../submissions/received-by.ts'
import type { SealedFile } from '../submissions/seal-evidence.ts'
import type { SubmissionToSeal } from '../submissions/submissions-to-seal.ts'
import { findPeriod } from './program-queries.ts'
import { readRequest } from './request-queries.ts'

/** reports/program.json of a period: the status of each item when it was sealed, and its files. People are named by their ID. */
export async function programReports(
  db: Db,
  of: SubmissionToSeal['period'],
  files: readonly SealedFile[],
): Promise<readonly MadeFile[]> {
  if (of === null) return []
  const { programId, name } = of
  const program = await db
    .selectFrom('programs')
    .selectAll()
    .where('program_id', '=', programId)
    .executeTakeFirstOrThrow()
  const view = await findPeriod(db, programId, name)
  const rows = await db
    .selectFrom('period_items')
    .selectAll()
    .where('program_id', '=', programId)
    .where('period', '=', name)
    .execute()
  const items = rows.toSorted((a, b) => a.position - b.position)
  const requests = new Map<string, { readonly request_id: string; readonly kit_id: string | null }>()
  for (const id of new Set(items.flatMap(({ request_id }) => request_id ?? []))) {
    const request = await readRequest(db, id)
    requests.set(id, { request_id: id, kit_id: request?.kit_id ?? null })
  }
  const inFolder = (id: string) => files.filter(({ path }) => path.startsWith(`data/${id}/`))
  return [
    madeJson(PROGRAM_REPORT_PATH, {
      report: 'program',
      program_id: programId,
      name: program.name,
      series: program.series,
      cadence: program.cadence,
      period: name,
      from: view.from_on,
      to: view.to_on,
      opened_at: view.opened_at,
      sealed_by: view.sealed_by === null ? null : personOf(view.sealed_by),
      items: items.map((item) => ({
        id: item.item_id,
        title: item.title,
        description: item.description,
        source: item.source,
        owner_id: item.owner_id,
        due_at: item.due_at,
        status: item.sealed_status ?? 'missing',
        not_applicable:
          item.sealed_status === 'not_applicable' && item.reason !== null ? { reason: item.reason } : null,
        reviewed_by: item.reviewed_by === null ? null : personOf(item.reviewed_by),
        reviewed_at: item.reviewed_at,
        request: requests.get(item.request_id ?? '') ?? null,
        files: inFolder(item.item_id).map(({ path, sha256, sizeBytes }) => {
          return { path, sha256, size_bytes: sizeBytes }
        }),
      })),
      statement:
        'What the workspace collects in each period, and the files of each item in this one. Statuses are what people said until ' +
        'the period was sealed. Files of an item with a request were sent by its supplier, whose own kit is named. The service judges nothing.',
      boundary: BOUNDARY,
    }),
  ]
}

/** A member or an API key. */
function personOf(text: string) {
  const actor = actorOf(text)
  if (actor.is === 'key') return { key_id: actor.keyId }
  return actor.is === 'member' ? { member_id: actor.memberId } : { link_id: actor.linkId }
}
