import { groupBy, type RandomAccess, storedKit } from '@kitseal/kit/internal'
import { locateContent, type OpenArchive, readContent } from '../archives/open-archive.ts'
import type { ExamineContext } from '../examine-context.ts'
import { chunks } from '../platform/sources.ts'
import type { InnerFile } from '../structures/structure.ts'
import { checkKit, kitFolders } from './contained-kit.ts'

/** A file of a kit that was unpacked. */
interface UnpackedFile {
  /** The path as the supplier knows it. */
  readonly path: string
  readonly sizeBytes: number
  /** Known if it was hashed already. */
  readonly sha256?: string | undefined
  read(): AsyncIterable<Uint8Array>
}

interface SuppliedFile {
  readonly displayPath: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** Verifies the folders that are unpacked kits, among the files that were supplied. */
export function checkKitFolders<File extends SuppliedFile>(
  ctx: ExamineContext,
  files: readonly File[],
  open: (file: File) => RandomAccess,
): Promise<void> {
  return checkFolders(
    ctx,
    files.map((file) => ({
      path: file.displayPath,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      read: () => chunks(open(file)),
    })),
  )
}

/** The same for the entries of an archive that is kept whole. */
export function checkKitsInArchive(ctx: ExamineContext, path: string, archive: OpenArchive): Promise<void> {
  const files = archive.entries.map((entry, index) => ({
    entry,
    path: `${path}/${entry.name}`,
    sizeBytes: entry.sizeBytes,
    read: () => entryBytes(ctx, archive, index),
  }))
  return checkFolders(
    ctx,
    files.filter(({ entry }) => !entry.isFolder && !archive.problems.has(entry)),
  )
}

/** The same for the files inside a tar archive. */
export function checkKitsInTar(
  ctx: ExamineContext,
  path: string,
  files: readonly InnerFile[],
): Promise<void> {
  return checkFolders(
    ctx,
    files.map((file) => ({
      path: `${path}/${file.name}`,
      sizeBytes: file.sizeBytes,
      read: () => file.content(),
    })),
  )
}

async function* entryBytes(
  { platform }: ExamineContext,
  archive: OpenArchive,
  index: number,
): AsyncGenerator<Uint8Array> {
  const entry = archive.entries[index]
  const dataAt = await locateContent(archive, index)
  if (entry === undefined || typeof dataAt !== 'number') throw new Error('it cannot be unpacked')
  yield* readContent(archive, entry, dataAt, platform)
}

async function checkFolders(ctx: ExamineContext, files: readonly UnpackedFile[]): Promise<void> {
  const folders = new Set(kitFolders(files.map(({ path }) => path)))
  if (folders.size === 0) return
  for (const [folder, group] of groupBy(files, ({ path }) => folderOf(path, folders))) {
    if (folder === undefined) continue
    const inside = new Map(group.map((file) => [file.path.slice(folder.length), file]))
    const list = [...inside].map(([path, { sizeBytes }]) => ({ path, sizeBytes }))
    const read = (path: string): AsyncIterable<Uint8Array> => contentOf(inside.get(path))
    const kit = storedKit(list, read, ctx.platform.host)
    const known = [...inside].flatMap(([path, { sha256 }]) =>
      sha256 === undefined ? [] : [[path, sha256] as const],
    )
    const measure: typeof kit.measure =
      known.length === inside.size ? async () => ({ sha256: new Map(known), problems: [] }) : kit.measure
    await checkKit(ctx, folder.slice(0, -1), { ...kit, measure })
  }
}

function folderOf(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (folders.has(path.slice(0, at + 1))) return path.slice(0, at + 1)
  return undefined
}

async function* contentOf(file: UnpackedFile | undefined): AsyncGenerator<Uint8Array> {
  if (file === undefined) throw new Error('it is missing')
  yield* file.read()
}
