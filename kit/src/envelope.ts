import { collisionKey } from './paths.ts'

/** The files that the manifest does not list, because they are about the manifest. */
export const ENVELOPE = {
  manifest: 'manifest.json',
  receipt: 'receipt.json',
  canonicalReceipt: 'receipt.canonical.json',
  signature: 'receipt.sig',
  keySet: 'jwks.json',
} as const

/** Larger files count as missing. */
export const ENVELOPE_LIMIT_BYTES: Readonly<Record<keyof typeof ENVELOPE, number>> = {
  manifest: 64 * 1024 * 1024,
  receipt: 256 * 1024,
  canonicalReceipt: 256 * 1024,
  signature: 64,
  keySet: 4 * 1024 * 1024,
}

/** The proof that the receipt is in a log, in kits that have one. */
export const LOG_PROOF_PATH = 'proofs/log.tlog-proof'
export const LOG_PROOF_LIMIT_BYTES = 256 * 1024

/** The time-stamp of the checkpoint in the log proof, in kits that have one. */
export const TIME_STAMP_PATH = 'proofs/time.tsr'

/** A proof in a kit, where there is one. One that is too large counts as unreadable. */
export type ProofFile = Uint8Array | 'unreadable' | undefined

/** The folder of the proofs. A later version may add others, which this version cannot check. */
const PROOFS = 'proofs'

export const ENVELOPE_PATHS: readonly string[] = [...Object.values(ENVELOPE), LOG_PROOF_PATH, TIME_STAMP_PATH]

const KEYS = new Set([...Object.values(ENVELOPE), PROOFS].map(collisionKey))

export function isProofPath(path: string): boolean {
  return path.startsWith(`${PROOFS}/`)
}

/** Ignores case, because Manifest.json overwrites manifest.json on many systems. Includes files in a folder of that name. */
export function isEnvelopePath(path: string): boolean {
  return KEYS.has(collisionKey(path.split('/', 1)[0]!))
}

/** The label in bag-info.txt for the hash of the key set, which reveals a changed key set. */
export const KEY_SET_LABEL = 'Key-Set-SHA256'

/** The page that verifies the kit in a browser, and says what a kit is. */
export const START_PAGE_PATH = 'START-HERE.html'
