import { type RandomAccess, type ZipEntry, type Reason } from '@kitseal/kit/internal'
import { openArchive, type OpenArchive } from '../archives/open-archive.ts'
import { endingOf } from '../detect/file-endings.ts'
import { isZip } from '../detect/signatures.ts'
import type { ExamineContext } from '../examine-context.ts'
import {
  checkEntry,
  checkName,
  checkUnopenedEntry,
  DATA_FOLDER,
  entryPath,
  isSystemFile,
  nameNotes,
  normalizeName,
  nameKey,
} from '../file-names.ts'
import { kitInArchive } from '../kits/contained-kit.ts'
import { DIRECTORY_ENTRIES } from '../limits.ts'
import { bytesAt } from '../platform/sources.ts'
import { classUnder } from '../policy.ts'
import type { ContentFacts } from '../read/content-pass.ts'
import { type RuleCode, detailOf } from '../rules.ts'
import { detectOfficeFile } from '../structures/office.ts'

export interface SuppliedFile {
  readonly name: string
  readonly source: RandomAccess
  /** Its name in the object store. */
  readonly object: string
  /** Known if it was hashed on upload. */
  readonly sha256?: string | undefined
  readonly crc32?: number | undefined
  /** What a thread knows about an entry that it has read, by the name of the entry. */
  readonly readAhead?: ((name: string) => Promise<ContentFacts | undefined> | undefined) | undefined
}

/** What happens to a supplied file: it is kept as it is, or it is an archive and unpacked. */
export type Plan =
  | { readonly is: 'loose'; readonly supplied: SuppliedFile; readonly path: string }
  | {
      readonly is: 'archive'
      readonly supplied: SuppliedFile
      readonly archive: OpenArchive
      readonly files: readonly PlannedEntry[]
      readonly leftOut: readonly LeftOut[]
    }
  /** An archive that exceeds the limits: only its names are checked. */
  | { readonly is: 'rejected'; readonly files: readonly PlannedEntry[] }

export interface PlannedEntry {
  readonly index: number
  readonly entry: ZipEntry
  readonly path: string
  readonly displayPath: string
  readonly notes: readonly string[]
}

export interface LeftOut {
  readonly index: number
  readonly path: string
  readonly sizeBytes: number
}

/** Plans what happens to each supplied file. Reads the directories of archives and checks all names. */
export async function planFiles(
  ctx: ExamineContext,
  supplied: readonly SuppliedFile[],
): Promise<readonly Plan[]> {
  if (supplied.length === 0) ctx.report(null, { code: 'empty_submission' })
  const plans: Plan[] = []
  for (const file of supplied) {
    const folder = unpackFolder(file.name, supplied.length === 1)
    const plan = (await isArchive(file)) ? await planArchive(ctx, file, folder) : planLoose(ctx, file)
    if (plan !== undefined) plans.push(plan)
  }
  for (const { displayPath, detail } of findCollisions(plans.flatMap(plannedPaths))) {
    ctx.report(displayPath, { code: 'name_collision', detail })
  }
  return plans
}

/** Where an archive is unpacked: in a folder of its name, or beside it if it is all that was supplied. */
function unpackFolder(archiveName: string, isAlone: boolean): string {
  const name = normalizeName(archiveName)
  const beside = name.slice(0, name.lastIndexOf('/') + 1)
  if (isAlone) return beside
  const stem = name.slice(beside.length).replace(/\.zip$/i, '')
  // "a..zip" and ".zip" leave no name that a folder can have.
  return `${beside}${/[^. ]$/.test(stem) ? stem : name.slice(beside.length)}/`
}

function plannedPaths(plan: Plan): readonly Pick<PlannedEntry, 'path' | 'displayPath'>[] {
  return plan.is === 'loose' ? [{ path: plan.path, displayPath: plan.supplied.name }] : plan.files
}

/** A ZIP by content and by name. With another extension it is kept whole and checked as that type. */
async function isArchive({ name, source }: SuppliedFile): Promise<boolean> {
  const ending = endingOf(name)
  return (ending === 'zip' || ending === undefined) && isZip(await bytesAt(source, 0, 64))
}

function planLoose(ctx: ExamineContext, supplied: SuppliedFile): Plan {
  const name = normalizeName(supplied.name)
  ctx.report(supplied.name, ...checkName(supplied.name))
  const limit = ctx.budget.admit(1, supplied.source.sizeBytes, supplied.source.sizeBytes)
  if (limit !== undefined) ctx.report(supplied.name, limit)
  return { is: 'loose', supplied, path: DATA_FOLDER + name }
}

async function planArchive(
  ctx: ExamineContext,
  supplied: SuppliedFile,
  folder: string,
): Promise<Plan | undefined> {
  const { name, source } = supplied
  const { entries } = ctx.limits
  const archive = await openArchive(
    source,
    Math.max(DIRECTORY_ENTRIES, entries),
    (finding) => ctx.report(name, finding),
    entries,
  )
  if ('code' in archive) {
    ctx.report(name, archive)
    return undefined
  }
  // An Office file is a ZIP as well, whatever its extension; it is kept whole.
  if ((await detectOfficeFile(archive, ctx.platform)) !== undefined) return planLoose(ctx, supplied)
  const names = archive.entries.map((entry) => entry.name)
  if ((await kitInArchive(source, names, ctx.platform.host)) !== undefined) return planLoose(ctx, supplied)
  if (isKeptWhole(ctx, archive)) return planLoose(ctx, supplied)
  const limit = ctx.budget.admit(archive.entries.length, archive.unpackedBytes, source.sizeBytes)
  const { files, leftOut } = planEntries(ctx, name, folder, archive)
  if (limit !== undefined) {
    ctx.report(name, limit)
    for (const { entry, displayPath } of files)
      ctx.report(displayPath, ...checkUnopenedEntry(entry, ctx.typesByName(entry.name)))
    return { is: 'rejected', files }
  }
  if (files.length === 0 && archive.problems.size === 0) {
    const detail = leftOut.length === 0 ? undefined : detailOf('detail.systemFiles')
    ctx.report(name, { code: 'empty_archive', detail })
  }
  return { is: 'archive', supplied, archive, files, leftOut }
}

function isAccepted({ accepted, policy }: ExamineContext, code: RuleCode): boolean {
  return classUnder(policy, code) !== 'danger' && accepted.has(code)
}

/** An archive with entries that cannot be unpacked is kept whole if the supplier acknowledges that. */
function isKeptWhole(ctx: ExamineContext, { problems }: OpenArchive): boolean {
  const codes = [...problems.values()].map(({ code }) => code)
  return codes.length > 0 && codes.every((code) => isAccepted(ctx, code))
}

function planEntries(
  ctx: ExamineContext,
  archiveName: string,
  folder: string,
  archive: OpenArchive,
): { readonly files: readonly PlannedEntry[]; readonly leftOut: readonly LeftOut[] } {
  const files: PlannedEntry[] = []
  const leftOut: LeftOut[] = []
  for (const [index, entry] of archive.entries.entries()) {
    const displayPath = `${archiveName}/${entry.name}`
    const name = entryPath(entry)
    const problem = archive.problems.get(entry)
    const own = checkEntry(entry, problem)
    const findings = own.length > 0 || folder === '' || entry.isFolder ? own : checkName(folder + name)
    const isLeftOut = !entry.isFolder && isSystemFile(name)
    ctx.report(displayPath, ...findings.filter(({ code }) => !(isLeftOut && HARMLESS_IF_LEFT_OUT.has(code))))
    if (problem !== undefined || entry.isFolder) continue
    if (isLeftOut) leftOut.push({ index, path: displayPath, sizeBytes: entry.sizeBytes })
    else
      files.push({
        index,
        entry,
        path: DATA_FOLDER + folder + name,
        displayPath,
        notes: nameNotes(entry.name),
      })
  }
  return { files, leftOut }
}

const HARMLESS_IF_LEFT_OUT = new Set<RuleCode>(['name_forbidden', 'name_direction'])

interface PlannedPath {
  readonly path: string
  readonly displayPath: string
}

interface Collision {
  readonly displayPath: string
  readonly detail: Reason
}

/** Finds files with the same name, and files with the name of a folder, across everything that was supplied. */
function findCollisions(files: readonly PlannedPath[]): readonly Collision[] {
  const collisions: Collision[] = []
  const taken = new Map<string, { readonly displayPath: string; readonly order: number }>()
  for (const [order, { path, displayPath }] of files.entries()) {
    const key = nameKey(path)
    const other = taken.get(key)?.displayPath
    if (other !== undefined)
      collisions.push({ displayPath, detail: detailOf('detail.otherFile', { name: other }) })
    taken.set(key, { displayPath, order })
  }
  // With a slash at the end, a file sorts right before the paths below it. Checking every parent folder would be slow.
  const sorted = [...taken.keys()].map((key) => `${key}/`).toSorted()
  for (const [index, key] of sorted.entries()) {
    const below = sorted[index + 1]
    if (below?.startsWith(key) !== true) continue
    const [file, inner] = [taken.get(key.slice(0, -1)), taken.get(below.slice(0, -1))]
    if (file === undefined || inner === undefined) continue
    const later = file.order < inner.order ? inner : file
    const detail = detailOf('detail.nameOfFolder', { name: file.displayPath })
    collisions.push({ displayPath: later.displayPath, detail })
  }
  return collisions
}
