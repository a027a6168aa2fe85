import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { der, TAG } from '../../../kit/src/time/der.ts'
import type { HashName } from '../../../kit/src/host.ts'
import { oid, sequence } from './der-parts.ts'

/** A key of a certificate. */
export interface CertificateSigner {
  readonly spki: Uint8Array
  /** The signature algorithm that a certificate or a time-stamp names. */
  readonly algorithm: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

export const HASH_OID: Readonly<Record<HashName, string>> = {
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
}
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

export function digestOf(hash: HashName, bytes: Uint8Array): Buffer {
  return createHash(hash.replace('-', '').toLowerCase()).update(bytes).digest()
}

/** ECDSA on P-256 with SHA-256. */
export function ecdsaSigner(): CertificateSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    algorithm: sequence(oid(ECDSA_WITH_SHA256)),
    sign: (message) => sign('sha256', message, privateKey),
  }
}

export const bitString = (bytes: Uint8Array): Uint8Array => der(TAG.bitString, Uint8Array.of(0), bytes)
