import { comparePaths } from '@kitseal/kit'
import { checkChecksums, type ChecksumReport } from './checksums.ts'
import { type ExaminedFile, type Examination, startExamination, type SuppliedSource } from './examination.ts'
import { judgeFile } from './judge-file.ts'
import type { EvidenceLimits } from './limits.ts'
import { type LeftOut, type Plan, planFiles } from './plan-files.ts'
import type { Profile } from './profile.ts'
import { matchProfile, type ProfileReport } from './match-profile.ts'
import { type Blocker, blocker } from './rules.ts'
import { type Aside, partOf, pieces, type Surroundings } from './surroundings.ts'
import { IN_PACK, type WalkedFile, walkFiles } from './walk-files.ts'

export interface FilesToExamine {
  readonly files: readonly SuppliedSource[]
  readonly limits: EvidenceLimits
  readonly profile: Profile
  /** RFC 3339. */
  readonly now: string
  /** Stands at the start of what is set aside, so that its name is like no other's. */
  readonly packLabel: string
}

export interface Examined {
  readonly blockers: readonly Blocker[]
  readonly files: readonly ExaminedFile[]
  readonly leftOut: readonly LeftOut[]
  readonly checksums: readonly ChecksumReport[]
  readonly profile: ProfileReport
  readonly scanned: boolean
  /** What was set aside; the caller's to keep or discard. */
  readonly pack: Aside | undefined
}

/**
 * Examines evidence: every rule on every file, to the end, whatever was found before. Nothing that it is fed makes it
 * throw; it throws where its surroundings fail.
 */
export async function examineFiles(surroundings: Surroundings, input: FilesToExamine): Promise<Examined> {
  const uploadedBytes = input.files.reduce((sum, { source }) => sum + source.sizeBytes, 0)
  const exam = startExamination(surroundings, input.limits, uploadedBytes, input.packLabel)
  const plans = await planFiles(exam, input.files)
  const { walked, pack } = await walkAndPack(exam, plans, input.packLabel)
  try {
    const sources = new Map(input.files.map(({ object, source }) => [object, source]))
    const files = await judgeAll(exam, sources, walked, pack)
    await scan(exam, sources, files, pack)
    const checksums = checkChecksums(exam, files)
    const profile = matchProfile(exam, input.profile, files, input.now)
    return {
      blockers: listBlockers(exam),
      files,
      leftOut: plans.flatMap((plan) => (plan.is === 'archive' ? plan.leftOut : [])),
      checksums,
      profile,
      scanned: surroundings.scanner !== undefined,
      pack,
    }
  } catch (error) {
    await pack?.discard()
    throw error
  }
}

async function walkAndPack(
  exam: Examination,
  plans: readonly Plan[],
  packLabel: string,
): Promise<{ readonly walked: readonly WalkedFile[]; readonly pack: Aside | undefined }> {
  const walked: WalkedFile[] = []
  const label = new TextEncoder().encode(`${packLabel}\n`)
  const content = walkFiles(exam, plans, walked, label.length)
  if (!plans.some(hasDeflated)) {
    for await (const _ of content) throw new Error('there is nothing to pack')
    return { walked, pack: undefined }
  }
  const pack = await exam.surroundings.setAside(gathered(label, content))
  return { walked, pack }
}

function hasDeflated(plan: Plan): boolean {
  return plan.is === 'archive' && plan.files.some(({ entry }) => entry.method !== 0)
}

const GATHER_BYTES = 256 * 1024

/** Small pieces are put together, so that ten thousand small files are not ten thousand writes. */
async function* gathered(label: Uint8Array, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffer = new Uint8Array(GATHER_BYTES)
  buffer.set(label)
  let filled = label.length
  for await (const bytes of content) {
    if (filled + bytes.length > GATHER_BYTES) {
      yield buffer.subarray(0, filled)
      buffer = new Uint8Array(GATHER_BYTES)
      filled = 0
    }
    if (bytes.length >= GATHER_BYTES) yield bytes
    else {
      buffer.set(bytes, filled)
      filled += bytes.length
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

/** Judges what was too large to be judged in passing, now that all of it can be read by position. */
async function judgeAll(
  exam: Examination,
  supplied: Sources,
  walked: readonly WalkedFile[],
  pack: Aside | undefined,
): Promise<readonly ExaminedFile[]> {
  const files: ExaminedFile[] = []
  for (const { file, name, seen, judgement } of walked) {
    const placed = {
      ...file,
      object: file.object === IN_PACK && pack !== undefined ? pack.object : file.object,
    }
    const { shownPath, notes } = file
    const { type, toldBy, inside, ...judged } =
      judgement ??
      (await judgeFile(
        exam,
        { name, shownPath, depth: 0, documents: 0 },
        seen,
        contentOf(supplied, file, pack),
      ))
    files.push({ ...placed, type, toldBy, inside, notes: [...notes, ...judged.notes] })
  }
  return files.toSorted((a, b) => comparePaths(a.path, b.path))
}

/** What was supplied, by its object. */
type Sources = ReadonlyMap<string, SuppliedSource['source']>
type Placed = Pick<ExaminedFile, 'object' | 'offset' | 'sizeBytes'>

function contentOf(supplied: Sources, file: Placed, pack: Aside | undefined) {
  const isPacked = file.object === IN_PACK || file.object === pack?.object
  const source = isPacked ? pack?.source : supplied.get(file.object)
  if (source === undefined) throw new Error('a file of the evidence is nowhere')
  return partOf(source, file.offset, file.sizeBytes)
}

async function scan(
  exam: Examination,
  supplied: Sources,
  files: readonly ExaminedFile[],
  pack: Aside | undefined,
): Promise<void> {
  const results = await exam.surroundings.scanner?.scan(
    files.map((file) => ({ sizeBytes: file.sizeBytes, read: () => pieces(contentOf(supplied, file, pack)) })),
  )
  for (const [index, result] of (results ?? []).entries()) {
    const path = files[index]?.shownPath ?? null
    if (result.is === 'infected')
      exam.report(path, { code: 'virus_found', seen: `it is ${result.signature}` })
    if (result.is === 'failed') exam.report(path, { code: 'scan_failed', seen: result.why })
  }
}

/** In order of path, then code; as many as may be listed, and the last says how many there are beside. */
function listBlockers({ blockers, unkept, limits }: Examination): readonly Blocker[] {
  const sorted = blockers.toSorted(
    (a, b) =>
      comparePaths(a.path ?? '', b.path ?? '') ||
      comparePaths(a.code, b.code) ||
      comparePaths(a.message, b.message),
  )
  const distinct = sorted.filter((one, index) => {
    const before = sorted[index - 1]
    return before?.path !== one.path || before.code !== one.code || before.message !== one.message
  })
  if (distinct.length <= limits.blockers) return distinct
  const more = distinct.length + unkept - (limits.blockers - 1)
  return [
    ...distinct.slice(0, limits.blockers - 1),
    blocker(null, { code: 'more_blockers', seen: `${more} more were found` }),
  ]
}
