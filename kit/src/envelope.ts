import { collisionKey } from './paths.ts'

/** The files of a kit that stand around the manifest and so cannot be listed in it. */
export const ENVELOPE = {
  manifest: 'manifest.json',
  receipt: 'receipt.json',
  canonicalReceipt: 'receipt.canonical.json',
  signature: 'receipt.sig',
  keySet: 'jwks.json',
} as const

/** What is larger counts as missing. */
export const ENVELOPE_LIMIT_BYTES: Readonly<Record<keyof typeof ENVELOPE, number>> = {
  manifest: 64 * 1024 * 1024,
  receipt: 256 * 1024,
  canonicalReceipt: 256 * 1024,
  signature: 64,
  keySet: 4 * 1024 * 1024,
}

/** Names kept for later: a kit that holds one of them today holds a file that nothing vouches for. */
const RESERVED_ENVELOPE = ['log-proof.json', 'timestamp.tsr'] as const

export const ENVELOPE_PATHS: readonly string[] = Object.values(ENVELOPE)

const KEYS = new Set([...ENVELOPE_PATHS, ...RESERVED_ENVELOPE].map(collisionKey))

/** Case twins count: on many systems Manifest.json would overwrite manifest.json. So do folders, which leave it no place. */
export function isEnvelopePath(path: string): boolean {
  return KEYS.has(collisionKey(path.split('/', 1)[0]!))
}

/** The line of bag-info.txt that says which key set was put into the kit, so that a changed one is noticed. */
export const KEY_SET_LABEL = 'Key-Set-SHA256'

/** The path of the browser verifier in each kit. */
export const VERIFIER_PAGE_PATH = 'verifier/index.html'
