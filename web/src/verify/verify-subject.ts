import {
  type JsonValue,
  type KeySet,
  NO_TRUST,
  parseReceipt,
  parseStrictJson,
  type Receipt,
  type VerificationReport,
  verifyReceipt,
  webHost,
} from '@kitseal/kit'
import { verifyPicked } from '@kitseal/kit/in-browser'
import type { Subject } from './subject.ts'

export interface VerifyOrder {
  readonly subject: Subject
  /** The keys that the service publishes. */
  readonly keys: KeySet
}

export interface Verification {
  readonly report: VerificationReport
  /** What the receipt says of itself, believed or not. */
  readonly receipt: Receipt | undefined
  readonly fileCount: number
}

/** One order, by kit's one engine; `onProgress` gets the bytes read so far. */
export async function verifySubject(
  { subject, keys }: VerifyOrder,
  onProgress: (bytesRead: number) => void,
): Promise<Verification> {
  if (subject.is === 'receipt') return verifyReceiptFile(subject.file, keys)
  const trust = { ...NO_TRUST, keySets: [keys] }
  const { report, receipt, fileCount } = await verifyPicked(
    { kit: subject.kit, trust, keySetBytes: [] },
    onProgress,
  )
  return { report, receipt, fileCount }
}

const RECEIPT_BYTES = 1024 * 1024

async function verifyReceiptFile(file: File, keys: KeySet): Promise<Verification> {
  const value = await readJson(file)
  const parsed = parseReceipt(value)
  const report = await verifyReceipt(value, undefined, keys, webHost)
  return { report, receipt: parsed.ok ? parsed.value : undefined, fileCount: 0 }
}

/** What is no JSON is no receipt either: the engine says so. */
async function readJson(file: File): Promise<JsonValue> {
  if (file.size > RECEIPT_BYTES) return null
  try {
    return parseStrictJson(new Uint8Array(await file.arrayBuffer()))
  } catch {
    return null
  }
}
