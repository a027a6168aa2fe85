import type { RandomAccess } from '../src/encoding/zip-fields.ts'
import { ZipProblem } from '../src/encoding/zip-format.ts'
import { type Origin, readOrigin } from '../src/claims.ts'
import { ENVELOPE, ENVELOPE_LIMIT_BYTES } from '../src/envelope.ts'
import { parseDocument } from '../src/examine.ts'
import { type KitFiles, openZip, storedKit } from '../src/kit-files.ts'
import { jsonOrNull } from '../src/parsing.ts'
import { parseReceipt, type Receipt } from '../src/receipt.ts'
import type { VerificationReport } from '../src/report.ts'
import type { Trust } from '../src/trust.ts'
import { verifyKit, verifyReceipt } from '../src/verify.ts'
import { webHost } from '../src/web-host.ts'
import type { PickedKit } from './picked-kit.ts'

/** A whole kit, or only its receipt. */
export type Subject = PickedKit | { readonly is: 'receipt'; readonly name: string; readonly file: File }

/** Can be posted to a worker. */
export interface VerifyRequest {
  readonly subject: Subject
  readonly trust: Trust
}

export interface Verification {
  readonly report: VerificationReport
  /** The receipt's own claims, trusted or not; undefined if it cannot be parsed. */
  readonly receipt: Receipt | undefined
  /** Whose evidence it is, as named in the kit. */
  readonly origin: Origin
  readonly fileCount: number
  /** The key set in the kit, to recognize a copy of it. It is never trusted. */
  readonly kitKeySet: Uint8Array | undefined
}

/** `onProgress` gets the number of bytes read so far. */
export async function verifyPicked(
  { subject, trust }: VerifyRequest,
  onProgress: (bytesRead: number) => void,
): Promise<Verification> {
  if (subject.is === 'receipt') return verifyReceiptFile(subject.file, trust)
  const files = await openPicked(subject, onProgress)
  const report = await verifyKit(files, trust, webHost)
  const receipt = parseDocument(await read(files, 'receipt'), ENVELOPE.receipt, parseReceipt)
  return {
    report,
    receipt: receipt.ok ? receipt.value : undefined,
    origin: await readOrigin(files),
    fileCount: files.files.length,
    kitKeySet: await read(files, 'keySet'),
  }
}

export function subjectBytes(subject: Subject): number {
  return subject.is === 'folder'
    ? subject.files.reduce((sum, { file }) => sum + file.size, 0)
    : subject.file.size
}

async function verifyReceiptFile(file: File, { keySets }: Trust): Promise<Verification> {
  // Anything but JSON is reported as a malformed receipt.
  const json =
    file.size > ENVELOPE_LIMIT_BYTES.receipt ? undefined : await file.arrayBuffer().catch(() => undefined)
  const value = json === undefined ? null : jsonOrNull(new Uint8Array(json))
  const receipt = parseReceipt(value)
  const [keys = { keys: [] }] = keySets
  const report = await verifyReceipt(value, undefined, keys, webHost)
  return {
    report,
    receipt: receipt.ok ? receipt.value : undefined,
    origin: { supplier: null },
    fileCount: 0,
    kitKeySet: undefined,
  }
}

async function openPicked(kit: PickedKit, onProgress: (bytesRead: number) => void): Promise<KitFiles> {
  let bytesRead = 0
  const count = (bytes: number): void => onProgress((bytesRead += bytes))
  if (kit.is === 'zip') return openZip(blobSource(kit.file, count), webHost)
  const byPath = new Map(kit.files.map(({ path, file }) => [path, file]))
  const files = kit.files.map(({ path, file }) => ({ path, sizeBytes: file.size }))
  return storedKit(files, (path) => chunks(byPath.get(path)), webHost, count)
}

/** Reads slices, so that memory use does not grow with the kit. A file that changes meanwhile makes the kit unreadable. */
function blobSource(blob: Blob, count: (bytes: number) => void): RandomAccess {
  return {
    sizeBytes: blob.size,
    async read(offset, length) {
      try {
        const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
        count(bytes.length)
        return bytes
      } catch (error) {
        throw new ZipProblem(`the browser cannot read it: ${String(error)}`)
      }
    },
  }
}

const CHUNK_BYTES = 1024 * 1024

async function* chunks(blob: Blob | undefined): AsyncGenerator<Uint8Array> {
  if (blob === undefined) throw new Error('it is missing')
  for (let at = 0; at < blob.size; at += CHUNK_BYTES) {
    yield new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer())
  }
}

const read = (kit: KitFiles, name: keyof typeof ENVELOPE): Promise<Uint8Array | undefined> =>
  kit.read(ENVELOPE[name], ENVELOPE_LIMIT_BYTES[name]).catch(() => undefined)
