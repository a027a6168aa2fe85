import { BOUNDARY } from '@kitseal/kit/internal'
import { readWorkspaceInKit } from '../access/supplier.ts'
import type { Reader } from '../database/unit.ts'
import { PROGRAM_REPORT_PATH, REQUEST_REPORT_PATH } from '../kits/intake-record.ts'
import { type MadeFile, madeJson } from '../kits/kit-files.ts'
import type { EvidenceRequestId } from '../runtime/identifiers.ts'
import { actorOf } from '../submissions/provenance-report.ts'
import type { SealedFile } from '../submissions/seal-evidence.ts'
import { programs } from './program.ts'
import { remarks } from './remarks.ts'
import { reasonOf, requests, type RequestView, viewOf } from './request.ts'
import { shownComment } from './request-resource.ts'

/** Of a submission that answers a request: reports/request.json, and of a period: reports/program.json. */
export async function requestReports(
  reader: Reader,
  id: EvidenceRequestId | null,
  files: readonly SealedFile[],
): Promise<readonly MadeFile[]> {
  if (id === null) return []
  const view = await viewOf(reader, await reader.own(requests).find(id))
  return [await (view.program_id === null ? requestReport : programReport)(reader, view, files)]
}

const fileOf = ({ path, sha256, sizeBytes }: SealedFile) => ({ path, sha256, size_bytes: sizeBytes })
const inFolder = (files: readonly SealedFile[], id: string) =>
  files.filter(({ path }) => path.startsWith(`data/${id}/`))

/** What was asked, and the answer to each item. */
async function requestReport(reader: Reader, view: RequestView, files: readonly SealedFile[]) {
  const { request_id, round } = view
  const all = await reader.rows(remarks, { request_id }).orderBy('sequence').all()
  const previous = view.rounds.findLast((each) => each.round < round && each.kit_id !== null)
  const answered = new Set(view.items.flatMap(({ item_id }) => inFolder(files, item_id)))
  return madeJson(REQUEST_REPORT_PATH, {
    report: 'request',
    request_id,
    title: view.title,
    message: view.message,
    requested_by: (await readWorkspaceInKit(reader.db, view.workspace_id)).supplier,
    requested_at: view.created_at,
    due_at: view.due_at,
    series: view.series,
    profile: view.profile,
    round,
    previous_kit_id: previous?.kit_id ?? null,
    items: view.items.map((item) => ({
      id: item.item_id,
      title: item.title,
      description: item.description,
      due_at: item.due_at,
      status: item.status,
      not_applicable: reasonOf(item, item.drafted.length > 0),
      comments: all.filter(({ item_id }) => item_id === item.item_id).map(shownComment),
      files: inFolder(files, item.item_id).map(fileOf),
    })),
    other_files: files.filter((file) => !answered.has(file)).map(fileOf),
    statement:
      'What the requester asked for, and the files that were sent for each item through the link of the request. Statuses and ' +
      'comments are what people said until the files were submitted. The service judges nothing.',
    boundary: BOUNDARY,
  })
}

/** The status of each item when the period was sealed, and its files. People are named by their ID. */
async function programReport(reader: Reader, view: RequestView, files: readonly SealedFile[]) {
  const program = await reader.own(programs).find(view.program_id ?? '')
  return madeJson(PROGRAM_REPORT_PATH, {
    report: 'program',
    program_id: program.program_id,
    name: program.name,
    series: program.series,
    cadence: program.cadence,
    period: view.period,
    from: view.from_on,
    to: view.to_on,
    opened_at: view.created_at,
    sealed_by: personOf(view.sealed_by),
    items: view.items.map((item) => ({
      id: item.item_id,
      title: item.title,
      description: item.description,
      source: item.part === null ? 'internal' : 'request',
      owner_id: item.owner_id,
      due_at: item.due_at,
      status: item.status,
      not_applicable: item.not_applicable === null ? null : { reason: item.not_applicable },
      reviewed_by: personOf(item.reviewed_by),
      reviewed_at: item.reviewed_at,
      request: item.part && { request_id: item.part.request_id, kit_id: item.part.kit_id },
      files: inFolder(files, item.item_id).map(fileOf),
    })),
    statement:
      'What the workspace collects in each period, and the files of each item in this one. Statuses are what people said until ' +
      'the period was sealed. Files of an item with a request were sent by its supplier, whose own kit is named. The service judges nothing.',
    boundary: BOUNDARY,
  })
}

/** A member or an API key. */
function personOf(text: string | null) {
  if (text === null) return null
  const actor = actorOf(text)
  if (actor.is === 'key') return { key_id: actor.keyId }
  return actor.is === 'member' ? { member_id: actor.memberId } : { link_id: actor.linkId }
}
