import { createHash } from 'node:crypto'
import { layOutZip, type RandomAccess, type ZipLayout } from '@kitseal/kit'
import type { KitEntry } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { KitRecord } from './kit-queries.ts'

/** kit.zip as it is served: it is never stored, and is the same bytes whenever and wherever it is laid out. */
export interface KitZip {
  readonly sizeBytes: number
  /** Strong: made from everything that the bytes are made from. */
  readonly etag: string
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): AsyncGenerator<Uint8Array>
}

export type KitLayout = Pick<KitRecord, 'kitId' | 'issuedAt' | 'entries'>

export function kitZip(kit: KitLayout, objects: Pick<ObjectStore, 'read'>): KitZip {
  const layout = layOutZip(kit.kitId, kit.entries, kit.issuedAt)
  const byPath = new Map(kit.entries.map((entry) => [entry.path, entry]))
  return {
    sizeBytes: layout.sizeBytes,
    etag: etagOf(kit),
    read: (start, end) => readPieces(layout, byPath, objects, start, end),
  }
}

/** A change in how archives are laid out changes the bytes, and so must change this number. */
const LAYOUT_VERSION = 1

function etagOf(kit: KitLayout): string {
  const hash = createHash('sha256').update(JSON.stringify([LAYOUT_VERSION, kit.kitId, kit.issuedAt]))
  for (const { path, sha256, sizeBytes } of kit.entries)
    hash.update(JSON.stringify([path, sha256, sizeBytes]))
  return `"${hash.digest('base64url')}"`
}

const CHUNK_BYTES = 64 * 1024

/** Headers and small files are gathered, so that a kit of many small files is not sent in many small writes. */
async function* readPieces(
  layout: ZipLayout,
  byPath: ReadonlyMap<string, KitEntry>,
  objects: Pick<ObjectStore, 'read'>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let length = 0
  for (const piece of layout.pieces(start, end)) {
    for await (const bytes of 'bytes' in piece ? [piece.bytes] : readEntry(byPath, objects, piece)) {
      gathered.push(bytes)
      length += bytes.length
      if (length < CHUNK_BYTES) continue
      yield gathered.length === 1 ? bytes : Buffer.concat(gathered, length)
      gathered = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(gathered, length)
}

function readEntry(
  byPath: ReadonlyMap<string, KitEntry>,
  objects: Pick<ObjectStore, 'read'>,
  { path, start, end }: { readonly path: string; readonly start: number; readonly end: number },
): AsyncIterable<Uint8Array> {
  const entry = byPath.get(path)
  if (entry === undefined) throw new Error(`the kit has no entry ${path}`)
  return objects.read(entry.object, entry.offset + start, entry.offset + end)
}

/** kit.zip for a reader that jumps about. */
export function kitZipAccess(zip: KitZip): RandomAccess {
  return {
    sizeBytes: zip.sizeBytes,
    async read(offset, length) {
      const parts: Uint8Array[] = []
      for await (const bytes of zip.read(offset, Math.min(offset + length, zip.sizeBytes))) parts.push(bytes)
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    },
  }
}
