import { detailOf } from './rules.ts'
import {
  comparePaths,
  NO_TRUST,
  type RandomAccess,
  type SubmissionProvenance,
  type Trust,
} from '@kitseal/kit/internal'
import { checkChecksums, type ChecksumReport, isChecksumList } from './checksums/check-checksums.ts'
import { createContext, type EvidenceKit, type ExamineContext } from './examine-context.ts'
import { examineFile, needsRandomAccess } from './examine-file.ts'
import type { ExaminedFile } from './examined-file.ts'
import { endingOf } from './detect/file-endings.ts'
import { typesOfEnding } from './file-types.ts'
import type { EvidenceLimits } from './limits.ts'
import { type LeftOut, type Plan, planFiles, type SuppliedFile } from './plan/plan-files.ts'
import { checkKitFolders } from './kits/contained-kit.ts'
import type { Platform, StoredContent } from './platform/platform.ts'
import { memorySource, sourceRange, chunks } from './platform/sources.ts'
import { bothPolicies, type EvidencePolicy, OPEN_POLICY } from './policy.ts'
import {
  checkProvenancePaths,
  type ConfirmedFile,
  matchProfile,
  type ProfileReport,
} from './profile/match-profile.ts'
import type { Profile } from './profile/profile.ts'
import { type ReadFile, readFiles } from './read/read-files.ts'
import type { Blocker, FindingRecord } from './findings.ts'

export interface FilesToExamine {
  readonly files: readonly SuppliedFile[]
  readonly limits: EvidenceLimits
  readonly profile: Profile
  /** RFC 3339. */
  readonly now: string
  /** The codes of findings that the supplier acknowledges. */
  readonly accept: readonly string[]
  /** Files that a person says are for an item of the profile. */
  readonly confirmed?: readonly ConfirmedFile[] | undefined
  /** What the supplier states about where the evidence came from. */
  readonly provenance?: SubmissionProvenance | undefined
  /** The keys that kits in the evidence are verified with. Default: none. */
  readonly trust?: Trust | undefined
  /** False hashes files only for the checksum lists among them. */
  readonly isHashed?: boolean | undefined
  /** What the plan asks beyond the rules. The profile may ask for more. */
  readonly policy?: EvidencePolicy | undefined
}

export interface Examined {
  readonly blockers: readonly Blocker[]
  /** Everything that was noticed: what blocks the submission first. */
  readonly findings: readonly FindingRecord[]
  readonly files: readonly ExaminedFile[]
  readonly leftOut: readonly LeftOut[]
  readonly checksums: readonly ChecksumReport[]
  readonly profile: ProfileReport
  readonly scanned: boolean
  readonly kits: readonly EvidenceKit[]
  /** The unpacked content. The caller keeps or discards it. */
  readonly pack: StoredContent | undefined
}

/**
 * Examines evidence: plan, read, check structure and type, scan, compare checksums, match the profile. Every rule runs on
 * every file, whatever was found before. Bad input never makes it throw; a failing platform does.
 */
export async function examineFiles(platform: Platform, input: FilesToExamine): Promise<Examined> {
  const uploadedBytes = input.files.reduce((sum, { source }) => sum + source.sizeBytes, 0)
  const ctx = createContext({
    platform,
    limits: input.limits,
    uploadedBytes,
    accepted: new Set(input.accept),
    trust: input.trust ?? NO_TRUST,
    policy: bothPolicies(input.policy ?? OPEN_POLICY, input.profile.policy ?? OPEN_POLICY),
    typesByName: (name) => typesOfEnding(endingOf(name)),
  })
  const uploads = new Map(input.files.map(({ object, source }) => [object, source]))

  const plans = await planFiles(ctx, input.files)
  const examined: Unplaced<ExaminedFile>[] = []
  const large: ReadFile[] = []
  const checksums = input.isHashed === false && !plans.some(hasChecksumList) ? 'crc32' : 'sha256 and crc32'
  const pack = await readFiles(ctx, plans, checksums, async (file) => {
    const source = sourceInMemory(file, uploads)
    if (source === undefined) large.push(file)
    else examined.push(await examineRead(ctx, file, source))
  })
  try {
    for (const file of large) examined.push(await examineRead(ctx, file, contentOf(file, uploads, pack)))
    const files = examined
      .map((file) => placeInPack(file, pack))
      .toSorted((a, b) => comparePaths(a.path, b.path))
    await scanFiles(ctx, files, (file) => contentOf(file, uploads, pack))
    const unpacked = files.map((file) => ({
      ...file,
      path: file.displayPath,
      read: () => chunks(contentOf(file, uploads, pack)),
    }))
    await checkKitFolders(ctx, unpacked)
    const lists = checkChecksums(ctx, files)
    checkProvenancePaths(ctx, files, input.provenance)
    const profile = matchProfile(ctx, input.profile, files, input)
    return {
      ...ctx.listFindings(),
      files,
      leftOut: plans.flatMap((plan) => (plan.is === 'archive' ? plan.leftOut : [])),
      checksums: lists,
      profile,
      kits: ctx.listKits(),
      scanned: platform.scanner !== undefined,
      pack,
    }
  } catch (error) {
    await pack?.discard()
    throw error
  }
}

const hasChecksumList = (plan: Plan): boolean =>
  plan.is === 'loose' ? isChecksumList(plan.path) : plan.files.some(({ path }) => isChecksumList(path))

/** A file in the pack has no object until the pack is stored. */
type Unplaced<File extends { readonly object: string }> = Omit<File, 'object'> & {
  readonly object: string | undefined
}

function placeInPack(file: Unplaced<ExaminedFile>, pack: StoredContent | undefined): ExaminedFile {
  return { ...file, object: file.object ?? pack?.object ?? '' }
}

/** Small and uploaded files are examined at once; large unpacked ones when the pack is stored. */
function sourceInMemory({ isUploadedItself, object, facts }: ReadFile, uploads: Sources) {
  if (isUploadedItself) return uploads.get(object ?? '')
  if (facts.whole === undefined && needsRandomAccess(facts)) return undefined
  return memorySource(facts.whole ?? facts.head)
}

async function examineRead(
  ctx: ExamineContext,
  { name, isUploadedItself, facts, ...file }: ReadFile,
  source: RandomAccess,
): Promise<Unplaced<ExaminedFile>> {
  const { displayPath } = file
  const depth = isUploadedItself ? -1 : 0
  const place = { name, displayPath, depth, documents: 0, kits: 0, levels: 0, as: 'file' } as const
  const result = await examineFile(ctx, place, facts, source)
  return { ...file, ...result }
}

/** Uploaded content by its object. */
type Sources = ReadonlyMap<string, RandomAccess>

function contentOf(
  { object, offset, sizeBytes }: Unplaced<Pick<ExaminedFile, 'object' | 'offset' | 'sizeBytes'>>,
  uploads: Sources,
  pack: StoredContent | undefined,
): RandomAccess {
  const isPacked = object === undefined || object === pack?.object
  const source = isPacked ? pack?.source : uploads.get(object)
  if (source === undefined) throw new Error('the content of a file is missing')
  return sourceRange(source, offset, sizeBytes)
}

/** Scans every file for viruses, if the platform has a scanner. */
async function scanFiles(
  ctx: ExamineContext,
  files: readonly ExaminedFile[],
  open: (file: ExaminedFile) => RandomAccess,
): Promise<void> {
  const results = await ctx.platform.scanner?.scan(
    files.map((file) => ({ sizeBytes: file.sizeBytes, read: () => chunks(open(file)) })),
  )
  for (const [index, result] of (results ?? []).entries()) {
    const path = files[index]?.displayPath ?? null
    if (result.is === 'infected')
      ctx.report(path, { code: 'virus_found', detail: detailOf('detail.is', { what: result.signature }) })
    if (result.is === 'failed') ctx.report(path, { code: 'scan_failed', detail: result.why })
  }
}
