import { pathCollisions } from '@kitseal/kit/internal'
import type { NamedType } from '../types/named-types.ts'
import { openArchive, type OpenArchive } from '../archives/open-archive.ts'
import type { ExamineContext } from '../examine-context.ts'
import { checkEntry, checkEntryName, checkUnopenedEntry, entryPath } from '../file-names.ts'
import { FILE_PARTS } from '../limits.ts'
import { type RuleCode, detailOf } from '../rules.ts'
import { checkKit, KIT_LEVELS, kitInArchive, checkKitFolders } from '../kits/contained-kit.ts'
import { entriesOf, unpackedFiles } from './inner-files.ts'
import { detectOfficeFile, type OfficeFile, packageEntry } from './office.ts'
import type { Finding } from '../rules.ts'
import type { FileToCheck, Structure } from './structure.ts'

/** A ZIP that is kept whole: an Office file, or an archive inside the uploaded one. */
export async function checkZip(file: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const archive = await openArchive(file.source, ctx.limits.entries, (finding) =>
    ctx.report(file.displayPath, finding),
  )
  if ('code' in archive) return unopened(ctx.typesByName(file.name), archive)
  const office = (await detectOfficeFile(archive, ctx.platform)) ?? packageByName(ctx.typesByName(file.name))
  return office === undefined ? checkArchive(file, archive, ctx) : checkOfficeFile(file, archive, office, ctx)
}

/** Verifies the kit that an archive is, or those that are unpacked in it. */
async function checkKits(file: FileToCheck, archive: OpenArchive, ctx: ExamineContext): Promise<boolean> {
  if (file.kits >= KIT_LEVELS) return false
  const names = archive.entries.map(({ name }) => name)
  const kit = await kitInArchive(file.source, names, ctx.platform.host)
  if (kit === undefined) {
    const files = entriesOf(archive, ctx, () => ({ as: 'file' }))
    await checkKitFolders(ctx, unpackedFiles(file.displayPath, files))
  } else await checkKit(ctx, file.displayPath, kit)
  return kit !== undefined
}

/** ZIP archives with an extension of their own, such as Apple's documents. */
function packageByName(named: readonly NamedType[]): OfficeFile | undefined {
  const type = named.find(({ isPackage }) => isPackage === true)
  return type === undefined ? undefined : { type: type.id, findings: [], part: packageEntry }
}

/** A damaged document should be saved again, not packed again. */
function unopened(types: readonly NamedType[], finding: Finding): Structure {
  const named = types.find(({ id, content }) => content === 'zip' && id !== 'zip')
  if (named === undefined || finding.code !== 'unreadable_archive')
    return { type: named?.id ?? 'zip', findings: [finding] }
  return { type: named.id, findings: [{ ...finding, code: 'malformed_office' }] }
}

async function checkArchive(
  file: FileToCheck,
  archive: OpenArchive,
  ctx: ExamineContext,
): Promise<Structure> {
  const { nesting } = ctx.limits
  const isKit = await checkKits(file, archive, ctx)
  if (file.depth >= nesting && !isKit) {
    const detail = detailOf('detail.levelsOfArchives', { count: nesting })
    return { type: 'zip', findings: [{ code: 'nested_too_deep', detail }] }
  }
  const limit = ctx.budget.admit(archive.entries.length, archive.unpackedBytes, file.source.sizeBytes)
  reportNames(file, archive, ctx)
  if (limit === undefined) {
    const inner = entriesOf(archive, ctx, () => ({ as: 'file' }))
    return { type: 'zip', findings: [], inner, ...(isKit ? { isKit } : {}) }
  }
  for (const entry of archive.entries) {
    if (entry.isFolder || archive.problems.has(entry)) continue
    ctx.report(`${file.displayPath}/${entry.name}`, ...checkUnopenedEntry(entry, ctx.typesByName(entry.name)))
  }
  return { type: 'zip', findings: [limit] }
}

function reportNames({ displayPath }: FileToCheck, archive: OpenArchive, ctx: ExamineContext): void {
  for (const entry of archive.entries) {
    ctx.report(`${displayPath}/${entry.name}`, ...checkEntry(entry, archive.problems.get(entry)))
  }
  const files = archive.entries.filter((entry) => !entry.isFolder && !archive.problems.has(entry))
  for (const collision of pathCollisions(files.map(entryPath))) {
    ctx.report(displayPath, {
      code: 'name_collision',
      detail: detailOf('detail.insideIt', { what: collision }),
    })
  }
}

/** The parts of an Office file are not evidence themselves; they are only searched for dangerous content. */
function checkOfficeFile(
  { displayPath, documents }: FileToCheck,
  archive: OpenArchive,
  office: OfficeFile,
  ctx: ExamineContext,
): Structure {
  const { nesting } = ctx.limits
  if (documents > nesting) {
    const detail = detailOf('detail.levelsOfDocuments', { count: nesting })
    return { type: office.type, findings: [{ code: 'nested_too_deep', detail }] }
  }
  const structure: Structure = {
    type: office.type,
    findings: office.findings,
  }
  const limit = ctx.budget.admitOffice(archive.unpackedBytes, archive.source.sizeBytes)
  if (limit !== undefined) {
    ctx.report(displayPath, limit)
    return structure
  }
  for (const [entry, { code, detail }] of archive.problems) {
    // Office files have their own encryption, so any problem with an entry means damage.
    ctx.report(displayPath, {
      code: 'malformed_office',
      detail: detailOf('detail.part', { part: entry.name, what: detail ?? code }),
    })
  }
  for (const entry of archive.entries) {
    const findings = archive.problems.has(entry) ? [] : checkEntryName(entry)
    ctx.report(`${displayPath}/${entry.name}`, ...findings.filter(({ code }) => ESCAPES_FOLDER.has(code)))
  }
  if (archive.entries.length > FILE_PARTS) {
    const detail = detailOf('detail.moreParts', { count: FILE_PARTS })
    return { ...structure, findings: [...structure.findings, { code: 'not_examined_in_time', detail }] }
  }
  return { ...structure, inner: entriesOf(archive, ctx, (name) => office.part(name)) }
}

/** Some programs unpack documents without checking the names of their parts. */
const ESCAPES_FOLDER = new Set<RuleCode>(['name_traversal', 'name_absolute'])
