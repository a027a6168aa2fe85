import { createHash } from 'node:crypto'
import { ENVELOPE } from '@kitseal/kit/internal'
import { collectChunks } from '../objects/chunks.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { type KitFile, readFile } from './kit-files.ts'
import type { KitRecord } from './kit-queries.ts'

type Objects = Pick<ObjectStore, 'read'>

/** Reads a small file of a kit and checks its hash. */
export async function readDocument(objects: Objects, kit: KitRecord, path: string): Promise<Buffer> {
  if (kit.expired !== undefined) return readExpired(kit, path)
  const entry = kit.entries.find((each) => each.path === path)
  if (entry === undefined) throw new Error(`kit ${kit.kitId} has no ${path}`)
  return readEntry(objects, entry)
}

export async function readEntry(objects: Objects, entry: KitFile): Promise<Buffer> {
  const content = await collectChunks(readFile(objects, entry), entry.sizeBytes)
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (createHash('sha256').update(bytes).digest('hex') !== entry.sha256)
    throw new ObjectUnreadable(entry.sha256, 'is damaged')
  return bytes
}

/** The files that are kept after retention ends. */
export const KEPT_AFTER_RETENTION: ReadonlySet<string> = new Set([ENVELOPE.manifest, ENVELOPE.receipt])

function readExpired(kit: KitRecord, path: string): Buffer {
  if (path === ENVELOPE.receipt) return Buffer.from(kit.receipt)
  if (path === ENVELOPE.manifest && kit.expired !== undefined) return Buffer.from(kit.expired.manifest)
  throw kitExpired(kit)
}

export function kitExpired(kit: KitRecord): Refusal {
  const deleted = kit.expired?.at ?? ''
  return new Refusal(
    'kit_expired',
    `The files of this kit were deleted on ${deleted.slice(0, 10)}. Its manifest and receipt are still available.`,
    { args: { deleted } },
  )
}
