// docs/decisions/0153
import type { RandomAccess } from '@kitseal/kit'
import { endsOf, type Reads } from '../objects/block-reads.ts'
import { readFully } from '../objects/chunks.ts'
import type { KitFile } from './kit-files.ts'
import { storedFiles } from './kit-files.ts'
import { type KitLayout, kitZip } from './kit-zip.ts'

/** Larger archives are read piece by piece. */
const SMALL_BYTES = 1024 * 1024

/** kit.zip of a small kit in memory, as a download would return it now. Its bytes are valid until it is disposed of. */
export interface SmallArchive extends RandomAccess, Disposable {
  readonly bytes: Uint8Array
  /** Copies the files that follow an offset of the archive. */
  copyAfter(offset: number): CopiedFiles
  /** Where the first file after `path` starts. */
  offsetAfter(path: string): number
}

/** The content of a file, if it was copied. */
export type CopiedFiles = (file: KitFile) => Uint8Array | undefined

/**
 * Reads each object of a kit once and lays out its archive. Undefined if it is too large.
 *
 * @param known content of objects that need not be read
 */
export async function readSmallArchive(
  kit: KitLayout,
  objects: Reads,
  known: ReadonlyMap<string, Uint8Array>,
): Promise<SmallArchive | undefined> {
  const stored = storedFiles(kit.entries)
  const ends = endsOf(stored)
  const total = [...ends].reduce((sum, [object, end]) => sum + (known.has(object) ? 0 : end), 0)
  if (total > SMALL_BYTES) return undefined
  const contents = new Map<string, Uint8Array>()
  for (const [object, end] of ends)
    contents.set(object, known.get(object) ?? (await readFully(objects, object, 0, end)))
  const { sizeBytes, pieces, fileOf } = kitZip(kit, NOTHING)
  const buffer = takeBuffer(sizeBytes)
  const bytes = buffer.subarray(0, sizeBytes)
  const offsets = new Map<string, number>()
  let at = 0
  for (const piece of pieces(0, sizeBytes)) {
    const content = 'bytes' in piece ? piece.bytes : contentOf(fileOf(piece.path), contents)
    bytes.set(content, at)
    at += content.length
    if ('path' in piece) offsets.set(piece.path, at)
  }
  return {
    bytes,
    sizeBytes,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    offsetAfter: (path) => {
      const offset = offsets.get(path)
      if (offset === undefined) throw new Error(`the kit has no entry ${path}`)
      return offset
    },
    copyAfter: (offset) =>
      copyFiles(
        stored.filter(({ path }) => (offsets.get(path) ?? 0) > offset),
        contents,
      ),
    [Symbol.dispose]: () => returnBuffer(buffer),
  }
}

const BUFFER_BYTES = 256 * 1024
const MAX_SPARE = 4
const spare: Uint8Array[] = []

/** Allocating and collecting a buffer for each kit takes longer than filling it. */
function takeBuffer(length: number): Uint8Array {
  return (length <= BUFFER_BYTES ? spare.pop() : undefined) ?? new Uint8Array(Math.max(length, BUFFER_BYTES))
}

function returnBuffer(buffer: Uint8Array): void {
  if (buffer.length === BUFFER_BYTES && spare.length < MAX_SPARE) spare.push(buffer)
}

const NOTHING: Reads = {
  read: () => {
    throw new Error('the content is in memory')
  },
}

function contentOf(file: KitFile, contents: ReadonlyMap<string, Uint8Array>): Uint8Array {
  if (!('object' in file)) return file.bytes
  const content = contents.get(file.object)?.subarray(file.offset, file.offset + file.sizeBytes)
  if (content?.length !== file.sizeBytes) throw new Error(`${file.path} was read incompletely`)
  return content
}

/** Copies, so that the rest of the objects can be freed. */
function copyFiles(
  files: readonly Extract<KitFile, { readonly object: string }>[],
  contents: ReadonlyMap<string, Uint8Array>,
): CopiedFiles {
  const copies = new Map(files.map((file) => [file.path, contentOf(file, contents).slice()]))
  return (file) => ('object' in file ? copies.get(file.path) : file.bytes)
}
