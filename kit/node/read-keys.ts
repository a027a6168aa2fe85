import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { parseStrictJson } from '../src/encoding/strict-json.ts'
import { parseJwks, thumbprint } from '../src/jwks.ts'
import type { KitSigner } from '../src/seal.ts'
import type { TrustedKeySet } from '../src/trust.ts'
import { describeError, readSmallFile } from './read-files.ts'

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

type KeyFileProblem = 'not_a_key' | 'passphrase_missing' | 'passphrase_wrong'

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

/** A signer with its public key: `x` as in a JWK. */
export type NodeSigner = KitSigner & { readonly x: string }

/** Signs with a private key in this process. */
export function nodeSigner(privateKey: KeyObject): NodeSigner {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519' || x === undefined) throw new Error('not an Ed25519 key')
  return { kid: thumbprint(x), x, sign: (message) => sign(null, message, privateKey) }
}

/**
 * A secret from the variable `name`, or from the file that `name_FILE` names. Empty variables count as not set. Throws if both are set, and
 * if the file is not one line of text. Errors do not quote the secret.
 */
export function readSecret(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = env[name] || undefined
  const path = env[secretFileName(name)] || undefined
  if (path === undefined) return value
  if (value !== undefined) throw new Error(`${name} and ${secretFileName(name)} are both set. Remove one.`)
  try {
    return oneLine(readSmallFile(path, { what: 'a secret', limitMiB: 1 }))
  } catch (error) {
    throw new Error(
      `${secretFileName(name)} is ${JSON.stringify(path)}, which cannot be used: ${describeError(error)}. Expected a file with the secret.`,
      { cause: error },
    )
  }
}

/** The variable that names a file with the secret. */
export const secretFileName = (name: string): string => `${name}_FILE`

function oneLine(bytes: Uint8Array): string {
  const text = decode(bytes).replace(/\r?\n$/, '')
  if (text === '') throw new Error('it is empty')
  if (/[\r\n]/.test(text)) throw new Error('it has more than one line')
  if (text.includes('\0')) throw new Error('it contains NUL')
  return text
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Error('it is not UTF-8 text', { cause: error })
  }
}
