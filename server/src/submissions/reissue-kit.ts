import { createHash } from 'node:crypto'
import type { FindingRecord } from '@kitseal/examiner'
import { BOUNDARY, canonicalJson, type JsonObject, parseStrictJson } from '@kitseal/kit/internal'
import type { Db, KitEntry, KitsTable, OpenedSubmission } from '../database/schema.ts'
import { CLASSIFICATION_REPORT_PATH, INTAKE_REPORT_PATH } from '../kits/intake-record.ts'
import { readEntry } from '../kits/kit-documents.ts'
import { madeFile, type MadeFile, madeJson, parseEntries } from '../kits/kit-files.ts'
import type { SealedKit } from '../kits/seal-kit.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { type SealEvidenceContext, sealEvidence } from './seal-evidence.ts'
import { copyRanges } from './take-over-files.ts'

const REISSUE_REPORT_PATH = 'reports/reissue.json'

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
  Array.isArray(findings) ? findings : []

type OldKit = Pick<KitsTable, 'kit_id' | 'issued_at' | 'public_key_kid' | 'receipt' | 'entries'> & {
  readonly revoked_at: string | null
}

const replacedKit = (db: Db, kitId: KitId): Promise<OldKit> =>
  db
    .selectFrom('kits')
    .innerJoin('signing_keys', 'signing_keys.kid', 'kits.public_key_kid')
    .select(['kits.kit_id', 'kits.issued_at', 'kits.public_key_kid', 'kits.receipt', 'kits.entries'])
    .select('signing_keys.revoked_at')
    .where('kits.kit_id', '=', kitId)
    .executeTakeFirstOrThrow()

/** reports/reissue.json: the kit that is replaced, and why. */
function reissueReport(replaced: OldKit, requestedAt: string): MadeFile {
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

const jsonOf = (bytes: Uint8Array): JsonObject => parseStrictJson(bytes) as JsonObject

interface Classified {
  readonly files: readonly { readonly path: string; readonly media_type: string }[]
}

/** For the binder, from the classification report. */
function mediaTypesIn(reports: readonly MadeFile[]): ReadonlyMap<string, string> {
  const report = reports.find(({ path }) => path === CLASSIFICATION_REPORT_PATH)
  const { files } = (report === undefined ? { files: [] } : jsonOf(report.bytes)) as unknown as Classified
  return new Map(files.map(({ path, media_type }) => [path, media_type]))
}
