import { type RandomAccess, ZipProblem } from '../src/encoding/zip-fields.ts'
import { ENVELOPE, ENVELOPE_LIMIT_BYTES } from '../src/envelope.ts'
import { parseDocument } from '../src/examine.ts'
import type { KitFiles } from '../src/files.ts'
import { parseReceipt, type Receipt } from '../src/receipt.ts'
import type { VerificationReport } from '../src/report.ts'
import { storedKit } from '../src/stored-kit.ts'
import type { Trust } from '../src/trust.ts'
import { verifyKit } from '../src/verify.ts'
import { webHost } from '../src/web-host.ts'
import { openZip } from '../src/zip-kit.ts'
import type { PickedKit } from './picked-kit.ts'

/** What is to be verified, and whom the user trusts. It can be sent to a worker. */
export interface Order {
  readonly kit: PickedKit
  readonly trust: Trust
  /** The bytes of each key set that the user gave. */
  readonly keySetBytes: readonly Uint8Array[]
}

export interface Verified {
  readonly report: VerificationReport
  /** What the receipt says of itself, believed or not; undefined where it cannot be parsed. */
  readonly receipt: Receipt | undefined
  readonly fileCount: number
  readonly sizeBytes: number
  /** Whether a given key set is, byte for byte, the copy that travels in the kit. */
  readonly keySetIsKitsCopy: boolean
}

/** Verifies with kit's one engine. `onProgress` gets the bytes read so far. */
export async function verifyPicked(
  { kit, trust, keySetBytes }: Order,
  onProgress: (bytesRead: number) => void,
): Promise<Verified> {
  const files = await openPicked(kit, onProgress)
  const report = await verifyKit(files, trust, webHost)
  const receipt = parseDocument(await read(files, 'receipt'), ENVELOPE.receipt, parseReceipt)
  const kitKeySet = await read(files, 'keySet')
  return {
    report,
    receipt: receipt.ok ? receipt.value : undefined,
    fileCount: files.files.length,
    sizeBytes: pickedBytes(kit),
    keySetIsKitsCopy: keySetBytes.some((given) => kitKeySet !== undefined && sameBytes(given, kitKeySet)),
  }
}

export function pickedBytes(kit: PickedKit): number {
  return kit.is === 'zip' ? kit.file.size : kit.files.reduce((sum, { file }) => sum + file.size, 0)
}

async function openPicked(kit: PickedKit, onProgress: (bytesRead: number) => void): Promise<KitFiles> {
  let bytesRead = 0
  const count = (bytes: number): void => onProgress((bytesRead += bytes))
  if (kit.is === 'zip') return openZip(blobSource(kit.file, count), webHost)
  const byPath = new Map(kit.files.map(({ path, file }) => [path, file]))
  const listed = kit.files.map(({ path, file }) => ({ path, sizeBytes: file.size }))
  return storedKit(listed, (path) => chunks(byPath.get(path) ?? new Blob([])), webHost, count)
}

/** Reads slices, so that memory does not grow with the kit. A file that vanishes or changes on the way makes the kit unreadable. */
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

async function* chunks(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += CHUNK_BYTES) {
    yield new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer())
  }
}

function read(kit: KitFiles, name: keyof typeof ENVELOPE): Promise<Uint8Array | undefined> {
  return kit.files.some(({ path }) => path === ENVELOPE[name])
    ? kit.read(ENVELOPE[name], ENVELOPE_LIMIT_BYTES[name]).catch(() => undefined)
    : Promise.resolve(undefined)
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
