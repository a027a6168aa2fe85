import type { ZipEntry } from '@kitseal/kit'
import { openArchive, type OpenArchive } from './archive.ts'
import type { Examination, SuppliedSource } from './examination.ts'
import { endingOf } from './file-types.ts'
import { DIRECTORY_ENTRIES } from './limits.ts'
import {
  DATA_FOLDER,
  entryFindings,
  entryPath,
  isLitter,
  nameFindings,
  nameKey,
  nameNotes,
  normalized,
} from './names.ts'
import { unopenedFindings } from './judge-type.ts'
import type { RuleCode } from './rules.ts'
import { tellOfficeFile } from './structures/office.ts'
import { bytesAt } from './structures/structure.ts'
import { tellContent } from './tell-content.ts'

/** What becomes of one supplied file: it is kept as it is, or it is an archive and unpacked. */
export type Plan =
  | { readonly is: 'loose'; readonly supplied: SuppliedSource; readonly path: string }
  | {
      readonly is: 'archive'
      readonly supplied: SuppliedSource
      readonly archive: OpenArchive
      readonly files: readonly PlannedEntry[]
      readonly leftOut: readonly LeftOut[]
    }
  /** An archive that holds too much: its names are known, and nothing of it is unpacked. */
  | { readonly is: 'refused'; readonly files: readonly PlannedEntry[] }

export interface PlannedEntry {
  readonly index: number
  readonly entry: ZipEntry
  readonly path: string
  readonly shownPath: string
  readonly notes: readonly string[]
}

export interface LeftOut {
  readonly path: string
  readonly sizeBytes: number
}

/** Decides for each supplied file what it becomes, reads the directories of archives, and holds all names to the rules. */
export async function planFiles(
  exam: Examination,
  supplied: readonly SuppliedSource[],
): Promise<readonly Plan[]> {
  if (supplied.length === 0) exam.report(null, { code: 'empty_submission' })
  const plans: Plan[] = []
  for (const file of supplied) {
    const plan = (await isArchive(file)) ? await planArchive(exam, file) : planLoose(exam, file)
    if (plan !== undefined) plans.push(plan)
  }
  reportCollisions(exam, plans)
  return plans
}

/** A ZIP by content and by name. One that is named otherwise is kept whole, and judged by its name. */
async function isArchive({ name, source }: SuppliedSource): Promise<boolean> {
  const ending = endingOf(name)
  if (ending !== 'zip' && ending !== undefined) return false
  return tellContent(await bytesAt(source, 0, 64)) === 'zip'
}

function planLoose(exam: Examination, supplied: SuppliedSource): Plan {
  const name = normalized(supplied.name)
  exam.report(supplied.name, ...nameFindings(name))
  const limit = exam.budget.admit(1, supplied.source.sizeBytes, supplied.source.sizeBytes)
  if (limit !== undefined) exam.report(supplied.name, limit)
  return { is: 'loose', supplied, path: DATA_FOLDER + name }
}

async function planArchive(exam: Examination, supplied: SuppliedSource): Promise<Plan | undefined> {
  const { name, source } = supplied
  const { entries } = exam.limits
  const archive = await openArchive(source, Math.max(DIRECTORY_ENTRIES, entries), entries)
  if ('code' in archive) {
    exam.report(name, archive)
    return undefined
  }
  // A document is an archive too, whatever it is called; it is judged as what it is.
  if ((await tellOfficeFile(archive, exam.surroundings)) !== undefined) return planLoose(exam, supplied)
  const limit = exam.budget.admit(archive.entries.length, archive.unpackedBytes, source.sizeBytes)
  const { files, leftOut } = planEntries(exam, name, archive)
  if (limit !== undefined) {
    exam.report(name, limit)
    for (const { entry, shownPath } of files) exam.report(shownPath, ...unopenedFindings(entry))
    return { is: 'refused', files }
  }
  if (files.length === 0 && archive.problems.size === 0) {
    const seen =
      leftOut.length === 0 ? undefined : 'there is only what systems and office programs leave behind'
    exam.report(name, { code: 'empty_archive', seen })
  }
  return { is: 'archive', supplied, archive, files, leftOut }
}

function planEntries(
  exam: Examination,
  archiveName: string,
  archive: OpenArchive,
): { readonly files: readonly PlannedEntry[]; readonly leftOut: readonly LeftOut[] } {
  const files: PlannedEntry[] = []
  const leftOut: LeftOut[] = []
  for (const [index, entry] of archive.entries.entries()) {
    const shownPath = `${archiveName}/${entry.name}`
    const name = entryPath(entry)
    const problem = archive.problems.get(entry)
    const findings = problem === undefined ? entryFindings(entry) : [problem]
    // What is left out may be called what it likes, as long as it does not reach for other places.
    const isLeftOut = !entry.isFolder && isLitter(name)
    exam.report(shownPath, ...findings.filter(({ code }) => !(isLeftOut && HARMLESS_OUTSIDE.has(code))))
    if (problem !== undefined || entry.isFolder) continue
    if (isLeftOut) {
      leftOut.push({ path: shownPath, sizeBytes: entry.sizeBytes })
      continue
    }
    files.push({ index, entry, path: DATA_FOLDER + name, shownPath, notes: nameNotes(entry.name) })
  }
  return { files, leftOut }
}

const HARMLESS_OUTSIDE = new Set<RuleCode>(['name_forbidden', 'name_direction'])

/**
 * Over all that was supplied: two archives may hold files of one name. In sorted order all that stands below a path
 * stands together; looking at each folder of each path would take as many steps as there are slashes.
 */
function reportCollisions(exam: Examination, plans: readonly Plan[]): void {
  const taken = new Map<string, { readonly shownPath: string; readonly order: number }>()
  for (const [order, { path, shownPath }] of plans.flatMap(placesOf).entries()) {
    const key = nameKey(path)
    const other = taken.get(key)?.shownPath
    if (other !== undefined) exam.report(shownPath, { code: 'name_collision', seen: `the other is ${other}` })
    taken.set(key, { shownPath, order })
  }
  // With the slash behind it, a file comes right before what would have to stand below it.
  const sorted = [...taken.keys()].map((key) => `${key}/`).toSorted()
  for (const [index, key] of sorted.entries()) {
    const below = sorted[index + 1]
    if (below?.startsWith(key) !== true) continue
    const [file, inner] = [taken.get(key.slice(0, -1)), taken.get(below.slice(0, -1))]
    if (file === undefined || inner === undefined) continue
    const seen = `there is a file where a folder has to be: ${file.shownPath}`
    exam.report(file.order < inner.order ? inner.shownPath : file.shownPath, { code: 'name_collision', seen })
  }
}

function placesOf(plan: Plan): readonly { readonly path: string; readonly shownPath: string }[] {
  return plan.is === 'loose' ? [{ path: plan.path, shownPath: plan.supplied.name }] : plan.files
}
