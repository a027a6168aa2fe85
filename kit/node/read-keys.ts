import { createPrivateKey, type KeyObject } from 'node:crypto'
import { parseStrictJson } from '../src/encoding/strict-json.ts'
import { parseJwks } from '../src/jwks.ts'
import type { TrustedKeySet } from '../src/trust.ts'
import { type NodeSigner, nodeSigner } from './node-signer.ts'
import { readSmallFile } from './read-small-file.ts'

/**
 * Reads a public key set (JWKS) from a file. Keys that cannot be used are listed in `refused`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readKeySet } from '@kitseal/kit/node'
 *
 * const { keys, refused } = readKeySet('issuer.jwks.json')
 * assert.equal(keys.length, 1)
 * assert.deepEqual(refused, [])
 * ```
 */
export function readKeySet(path: string): TrustedKeySet {
  const bytes = readSmallFile(path, { what: 'a key set', limitMiB: 4 })
  const parsed = parseJwks(parseStrictJson(bytes))
  if (!parsed.ok) throw new Error(parsed.problems.join('; '))
  return { ...parsed.value, source: 'file', bytes }
}

export type KeyFileProblem = 'not_a_key' | 'passphrase_missing' | 'passphrase_wrong'

/** A key file that cannot be used. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError'
  readonly problem: KeyFileProblem

  constructor(problem: KeyFileProblem) {
    super(MESSAGES[problem])
    this.problem = problem
  }
}

const MESSAGES: Readonly<Record<KeyFileProblem, string>> = {
  not_a_key: 'it is not an Ed25519 private key in PEM',
  passphrase_missing: 'it is encrypted: a passphrase is needed',
  passphrase_wrong: 'it is encrypted, and the passphrase is wrong',
}

/**
 * Reads an Ed25519 private key (PKCS#8, PEM) as a signer. `kitseal keygen` and
 * `openssl genpkey -algorithm ed25519` create such files.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readPrivateKey } from '@kitseal/kit/node'
 *
 * const signer = readPrivateKey('issuer.key')
 * assert.equal(signer.kid.length, 43)
 * ```
 */
export function readPrivateKey(
  path: string,
  { passphrase = '' }: { readonly passphrase?: string | undefined } = {},
): NodeSigner {
  const pem = Buffer.from(readSmallFile(path, { what: 'a key', limitMiB: 1 })).toString()
  return nodeSigner(parsePem(pem, passphrase))
}

function parsePem(pem: string, passphrase: string): KeyObject {
  const isEncrypted = pem.includes('ENCRYPTED PRIVATE KEY')
  try {
    const key = createPrivateKey({ key: pem, format: 'pem', ...(isEncrypted ? { passphrase } : {}) })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    if (isEncrypted) throw new KeyFileError(passphrase === '' ? 'passphrase_missing' : 'passphrase_wrong')
  }
  throw new KeyFileError('not_a_key')
}
