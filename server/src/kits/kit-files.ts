import { ENVELOPE, LOG_PROOF_PATH, utf8 } from '@kitseal/kit'
import type { KitEntry, KitsTable, TextEntry } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { madeFile } from './pack-files.ts'

/** A file of a kit: in the object store or, the log proof, in the database. */
export type KitFile = KitEntry | TextEntry

/** Every file of a kit, in zip order. */
export function filesOf({
  entries,
  log_proof,
}: Pick<KitsTable, 'entries' | 'log_proof'>): readonly KitFile[] {
  const stored = JSON.parse(entries) as readonly KitEntry[]
  return log_proof === null ? stored : withLogProof(stored, log_proof)
}

/** The proof follows the manifest, because files of the envelope are sorted by path. */
export function withLogProof(stored: readonly KitEntry[], logProof: string): readonly KitFile[] {
  const { bytes: _, ...measured } = madeFile(LOG_PROOF_PATH, utf8(logProof))
  const at = stored.findIndex(({ path }) => path === ENVELOPE.manifest) + 1
  return [...stored.slice(0, at), { ...measured, text: logProof }, ...stored.slice(at)]
}

/** Files in the object store. */
export function storedFiles(files: readonly KitFile[]): readonly KitEntry[] {
  return files.filter((file) => 'object' in file)
}

/** Reads a range of a file, unchecked. */
export function readFile(
  objects: Pick<ObjectStore, 'read'>,
  file: KitFile,
  start = 0,
  end = file.sizeBytes,
): AsyncIterable<Uint8Array> {
  if ('object' in file) return objects.read(file.object, file.offset + start, file.offset + end)
  return textOf(file, start, end)
}

async function* textOf({ text }: TextEntry, start: number, end: number): AsyncGenerator<Uint8Array> {
  yield utf8(text).subarray(start, end)
}
