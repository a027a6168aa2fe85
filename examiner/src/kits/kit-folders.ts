import { groupBy, storedKit } from '@kitseal/kit/internal'
import type { ExamineContext } from '../examine-context.ts'
import { checkKit, kitFolders } from './contained-kit.ts'

/** A file of a kit that was unpacked. */
export interface UnpackedFile {
  /** The path as the supplier knows it. */
  readonly path: string
  readonly sizeBytes: number
  /** Known if it was hashed already. */
  readonly sha256?: string | undefined
  read(): AsyncIterable<Uint8Array>
}

/** Verifies the folders that are unpacked kits: among the files that were supplied, or in an archive that is kept whole. */
export async function checkKitFolders(ctx: ExamineContext, files: readonly UnpackedFile[]): Promise<void> {
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
