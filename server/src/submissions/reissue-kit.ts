import { createHash } from 'node:crypto'
import type { FindingRecord } from '@kitseal/examiner'
import {
  BOUNDARY,
  canonicalJson,
  isJsonObject,
  type JsonObject,
  parseStrictJson,
} from '@kitseal/kit/internal'
import { sql } from 'kysely'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Db, KitEntry, KitsTable, OpenedSubmission } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { CLASSIFICATION_REPORT_PATH, INTAKE_REPORT_PATH } from '../kits/intake-record.ts'
import { readEntry } from '../kits/kit-documents.ts'
import { type MadeFile, madeFile, madeJson, parseEntries } from '../kits/kit-files.ts'
import type { SealedKit } from '../kits/seal-kit.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import type { KitId, SubmissionId } from '../runtime/identifiers.ts'
import { type CreateContext, createSubmission, type ReplacedKit } from './create-submission.ts'
import { sealEvidence, type SealEvidenceContext } from './seal-evidence.ts'
import { queueSealing } from './seal-submission.ts'
import { countEvidence, type FoundSubmission, readSubmission } from './submission-queries.ts'
import { attributesOf, statedIn, type SubmissionView } from './submission.ts'
import { copyRanges } from './take-over-files.ts'

/** Creates a submission with the same evidence, ready for a worker. It holds no credit. */
export async function requestReissue(
  trx: Db,
  ctx: CreateContext,
  id: SubmissionId,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const at = timestamp(ctx.clock.now())
  const { workspaceId, actor } = caller
  const old = await lockSubmission(trx, id)
  const replaced = reissuableKit(old)
  const kept = { ...attributesOf(old), provenance: statedIn(old) }
  const request = { label: old.label, profile: old.profile, ...kept }
  const { view } = await createSubmission(trx, ctx, request, caller, replaced)
  const { submission_id, job_id } = view
  await copyEvidence(trx, old, submission_id)
  await trx
    .updateTable('submissions')
    .set({ status: 'SUBMITTED', job_updated_at: at, expires_at: null })
    .where('job_id', '=', job_id)
    .execute()
  await queueSealing(trx, { job_id, workspace_id: workspaceId })
  const event = { workspaceId, actor, at }
  const details = { files: await countEvidence(trx, id), bytes: Number(old.uploaded_bytes) }
  await recordEvent(trx, { ...event, action: 'submission.sealed', subject: submission_id, details })
  const as = { as: submission_id, kit_id: replaced.kit_id }
  await recordEvent(trx, { ...event, action: 'submission.reissued', subject: id, details: as })
  return readSubmission(trx, submission_id)
}

/** Locked, because a concurrent request may replace the kit, and maintenance may expire it. */
async function lockSubmission(trx: Db, id: SubmissionId): Promise<SubmissionView> {
  await trx.selectFrom('submissions').select('job_id').where('submission_id', '=', id).forUpdate().execute()
  return (await readSubmission(trx, id)).view
}

function reissuableKit(old: SubmissionView): ReplacedKit {
  const { submission_id, kit_id, key_revoked_at, replaced_by_submission_id } = old
  if (kit_id === null || key_revoked_at === null)
    throw new Refusal(
      'key_not_revoked',
      kit_id === null
        ? 'The submission has no kit.'
        : 'The key that signed this kit is not revoked, so the kit still verifies.',
    )
  if (replaced_by_submission_id !== null)
    throw new Refusal('kit_already_reissued', `The kit was re-issued by ${replaced_by_submission_id}.`)
  if (old.status === 'EXPIRED')
    throw new Refusal('evidence_gone', 'The evidence of this kit was deleted. Submit it again.')
  return { submission_id, kit_id }
}

/** The new kit gets copies of the files when it is sealed. Until then the replaced one cannot be erased. */
async function copyEvidence(
  trx: Db,
  { submission_id, uploads, uploaded_bytes }: SubmissionView,
  to: SubmissionId,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ uploads, uploaded_bytes })
    .where('submission_id', '=', to)
    .execute()
  const columns = [
    'position',
    'name',
    'sha256',
    'size_bytes',
    'crc32',
    'object',
    'offset_bytes',
    'media_type',
    'received',
  ] as const
  await trx
    .insertInto('evidence')
    .columns(['submission_id', ...columns])
    .expression((eb) =>
      eb
        .selectFrom('evidence')
        .select([sql<SubmissionId>`cast(${to} as text)`.as('submission_id'), ...columns])
        .where('submission_id', '=', submission_id),
    )
    .execute()
}

export const REISSUE_REPORT_PATH = 'reports/reissue.json'

/** Made anew for every kit. The other reports are copied. */
const NOT_COPIED = new Set([INTAKE_REPORT_PATH, REISSUE_REPORT_PATH, 'reports/crc32.json'])

/** Seals the evidence of a kit whose key was revoked into a new kit. The evidence is not examined again: it is the same. */
export async function reissueKit(
  ctx: SealEvidenceContext,
  submission: Readonly<OpenedSubmission>,
  replacesKitId: KitId,
): Promise<SealedKit & { readonly findings: readonly FindingRecord[] }> {
  const replaced = await replacedKit(ctx.db, replacesKitId)
  const entries = parseEntries(replaced.entries)
  const reports = await copiedReports(ctx.objects, entries)
  const intake = jsonOf(await readReport(ctx.objects, replacesKitId, entries, INTAKE_REPORT_PATH))
  const mediaTypes = mediaTypesIn(reports)
  const findings = findingsIn(intake)
  const evidence = await copyRanges(
    ctx,
    entries.filter(({ path }) => path.startsWith('data/')),
  )
  const discard = async (error: unknown): Promise<never> => {
    await Promise.allSettled(evidence.objects.map(({ object }) => ctx.objects.delete(object)))
    throw error
  }
  const { kit, objects } = await sealEvidence(ctx, {
    submission,
    findings,
    files: evidence.ranges.map((file) => {
      return { ...file, mediaType: mediaTypes.get(file.path) ?? 'application/octet-stream' }
    }),
    intake,
    reports: [...reports, reissueReport(replaced, submission.created_at)],
  }).catch(discard)
  return { kit, objects: [...objects, ...evidence.objects], findings }
}

const findingsIn = ({ findings }: JsonObject): readonly FindingRecord[] =>
  Array.isArray(findings) ? (findings as unknown as readonly FindingRecord[]) : []

type ReplacedRow = Pick<KitsTable, 'kit_id' | 'issued_at' | 'public_key_kid' | 'receipt' | 'entries'> & {
  readonly revoked_at: string | null
}

const replacedKit = (db: Db, kitId: KitId): Promise<ReplacedRow> =>
  db
    .selectFrom('kits')
    .innerJoin('signing_keys', 'signing_keys.kid', 'kits.public_key_kid')
    .select(['kits.kit_id', 'kits.issued_at', 'kits.public_key_kid', 'kits.receipt', 'kits.entries'])
    .select('signing_keys.revoked_at')
    .where('kits.kit_id', '=', kitId)
    .executeTakeFirstOrThrow()

/** reports/reissue.json: the kit that is replaced, and why. */
function reissueReport(replaced: ReplacedRow, requestedAt: string): MadeFile {
  const receipt = canonicalJson(parseStrictJson(Buffer.from(replaced.receipt)))
  return madeJson(REISSUE_REPORT_PATH, {
    report: 'reissue',
    replaces_kit_id: replaced.kit_id,
    replaces_receipt_sha256: createHash('sha256').update(receipt).digest('hex'),
    replaces_issued_at: replaced.issued_at,
    replaces_kid: replaced.public_key_kid,
    reason: 'key_revoked',
    key_revoked_at: replaced.revoked_at,
    at: requestedAt,
    statement:
      'The evidence is that of the replaced kit, byte for byte. It was not examined again: the reports about it are those of ' +
      'the replaced kit. The intake report names the supplier as of this kit.',
    boundary: BOUNDARY,
  })
}

async function copiedReports(
  objects: Pick<ObjectStore, 'read'>,
  entries: readonly KitEntry[],
): Promise<readonly MadeFile[]> {
  const reports: MadeFile[] = []
  for (const entry of entries)
    if (entry.path.startsWith('reports/') && !NOT_COPIED.has(entry.path))
      reports.push(madeFile(entry.path, await readEntry(objects, entry)))
  return reports
}

function readReport(
  objects: Pick<ObjectStore, 'read'>,
  kitId: KitId,
  entries: readonly KitEntry[],
  path: string,
): Promise<Uint8Array> {
  const entry = entries.find((each) => each.path === path)
  if (entry === undefined) throw new Error(`kit ${kitId} has no ${path}`)
  return readEntry(objects, entry)
}

function jsonOf(bytes: Uint8Array): JsonObject {
  const value = parseStrictJson(bytes)
  return isJsonObject(value) ? value : {}
}

/** For the binder, from the classification report. */
function mediaTypesIn(reports: readonly MadeFile[]): ReadonlyMap<string, string> {
  const report = reports.find(({ path }) => path === CLASSIFICATION_REPORT_PATH)
  const { files } = report === undefined ? {} : jsonOf(report.bytes)
  return new Map(
    (Array.isArray(files) ? files : []).flatMap((file) => {
      const { path, media_type } = isJsonObject(file) ? file : {}
      return typeof path === 'string' && typeof media_type === 'string' ? [[path, media_type] as const] : []
    }),
  )
}
