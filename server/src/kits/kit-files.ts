import { ENVELOPE, LOG_PROOF_PATH, TIME_STAMP_PATH, utf8 } from '@kitseal/kit/internal'
import type { KitEntry, KitsTable } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { parseEntries } from './kit-entries.ts'
import { madeFile, type MadeFile } from './pack-files.ts'

/** A file of a kit: in the object store or, the proofs, in the database. */
export type KitFile = KitEntry | MadeFile

/** What a kit gets when it is issued. */
export interface KitProofs {
  readonly logProof: string
  /** Base64. */
  readonly timeStamp: string | null
}

/** Every file of a kit, in zip order. */
export function filesOf({
  entries,
  log_proof: logProof,
  time_stamp: timeStamp,
}: Pick<KitsTable, 'entries' | 'log_proof' | 'time_stamp'>): readonly KitFile[] {
  const stored = parseEntries(entries)
  return logProof === null ? stored : withProofs(stored, { logProof, timeStamp })
}

/** The proofs follow the manifest, because files of the envelope are sorted by path. */
export function withProofs(
  stored: readonly KitEntry[],
  { logProof, timeStamp }: KitProofs,
): readonly KitFile[] {
  const at = stored.findIndex(({ path }) => path === ENVELOPE.manifest) + 1
  const stamp = timeStamp === null ? [] : [madeFile(TIME_STAMP_PATH, Buffer.from(timeStamp, 'base64'))]
  return [...stored.slice(0, at), madeFile(LOG_PROOF_PATH, utf8(logProof)), ...stamp, ...stored.slice(at)]
}

/** What a file says about itself, if it is the output of a known tool. */
export const summaryOf = (file: KitFile): string | null => ('summary' in file && file.summary) || null

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
  return bytesOf(file, start, end)
}

async function* bytesOf({ bytes }: MadeFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(start, end)
}
