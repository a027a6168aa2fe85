import { type DerElement, DerReader, oidOf, onlyChild, smallInteger, TAG } from './der.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512'
export type CurveName = 'P-256' | 'P-384' | 'P-521'

/** How a signature is made, for Host.verifySignature(). */
export type SignatureAlgorithm =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName }
  | PssParameters
  /** The signature is r ‖ s, each as long as the field. */
  | { readonly name: 'ECDSA'; readonly hash: HashName; readonly curve: CurveName }

/** What an AlgorithmIdentifier says. ECDSA has no curve here, and plain rsaEncryption has no hash. */
export type NamedAlgorithm =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName | undefined }
  | PssParameters
  | { readonly name: 'ECDSA'; readonly hash: HashName }

export interface PssParameters {
  readonly name: 'RSA-PSS'
  readonly hash: HashName
  readonly saltLength: number
}

const HASHES: Readonly<Record<string, HashName>> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}
const RSA_WITH: Readonly<Record<string, HashName | undefined>> = {
  '1.2.840.113549.1.1.1': undefined,
  '1.2.840.113549.1.1.11': 'SHA-256',
  '1.2.840.113549.1.1.12': 'SHA-384',
  '1.2.840.113549.1.1.13': 'SHA-512',
}
const ECDSA_WITH: Readonly<Record<string, HashName>> = {
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512',
}
const SHA1 = '1.3.14.3.2.26'
const RSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'

/** The hash that an AlgorithmIdentifier names. The parameters are absent or null. */
export function parseHashAlgorithm(element: DerElement | undefined, what: string): HashName {
  return HASHES[hashOid(element, what)] ?? timeStampMalformed(`${what} is not SHA-256, SHA-384 or SHA-512`)
}

/** The same for what only identifies a certificate, where SHA-1 is enough: its key has to verify the signature. */
export function parseIdentifierHash(element: DerElement, what: string): HashName | 'SHA-1' {
  return hashOid(element, what) === SHA1 ? 'SHA-1' : parseHashAlgorithm(element, what)
}

function hashOid(element: DerElement | undefined, what: string): string {
  const reader = new DerReader(element, what)
  const oid = oidOf(reader.take(TAG.oid, 'algorithm'))
  reader.option(TAG.null)
  reader.end()
  return oid
}

/** The signature algorithm that an AlgorithmIdentifier names. */
export function parseSignatureAlgorithm(element: DerElement | undefined, what: string): NamedAlgorithm {
  const reader = new DerReader(element, what)
  const oid = oidOf(reader.take(TAG.oid, 'algorithm'))
  if (oid === RSA_PSS) {
    const parameters = reader.take(TAG.sequence, 'parameters')
    reader.end()
    return parsePss(parameters)
  }
  const ecdsaHash = ECDSA_WITH[oid]
  if (ecdsaHash !== undefined) {
    reader.end()
    return { name: 'ECDSA', hash: ecdsaHash }
  }
  if (!Object.hasOwn(RSA_WITH, oid)) timeStampMalformed(`${what} is not supported: ${oid}`)
  reader.option(TAG.null)
  reader.end()
  return { name: 'RSASSA-PKCS1-v1_5', hash: RSA_WITH[oid] }
}

/** RSASSA-PSS-params (RFC 4055). The defaults are SHA-1, so hash and mask generation are always there. */
export function parsePss(parameters: DerElement): PssParameters {
  const what = 'the parameters of RSASSA-PSS'
  const reader = new DerReader(parameters, what)
  const hash = parseHashAlgorithm(onlyChild(reader.take(0xa0, 'hash'), what), what)
  const mask = new DerReader(onlyChild(reader.take(0xa1, 'mask generation'), what), what)
  if (oidOf(mask.take(TAG.oid, 'mask generation')) !== MGF1) timeStampMalformed(`${what} do not name MGF1`)
  if (parseHashAlgorithm(mask.take(TAG.sequence, 'hash'), what) !== hash)
    timeStampMalformed(`${what} name two different hashes`)
  mask.end()
  const salt = reader.option(0xa2)
  const saltLength = salt === undefined ? 20 : smallInteger(integer(salt, what), what)
  const trailer = reader.option(0xa3)
  if (trailer !== undefined && smallInteger(integer(trailer, what), what) !== 1)
    timeStampMalformed(`${what} name an unknown trailer`)
  reader.end()
  // The digest, the salt and two bytes fit into 2,048 bits.
  if (saltLength > 128) timeStampMalformed(`${what} name a salt that is too long`)
  return { name: 'RSA-PSS', hash, saltLength }
}

function integer(explicit: DerElement, what: string): DerElement {
  const element = onlyChild(explicit, what)
  return element.tag === TAG.integer ? element : timeStampMalformed(`${what} have no integer`)
}
