import type { CurveName, HashName, Host, PssParameters, SignatureAlgorithm } from '../host.ts'
import {
  der,
  type DerElement,
  DerReader,
  oidOf,
  onlyChild,
  parseDer,
  smallInteger,
  TAG,
  timeStampMalformed,
} from './der.ts'

/** What an AlgorithmIdentifier says. ECDSA has no curve here, and plain rsaEncryption has no hash. */
export type NamedAlgorithm =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName | undefined }
  | PssParameters
  | { readonly name: 'ECDSA'; readonly hash: HashName }

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
function parsePss(parameters: DerElement): PssParameters {
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

/** A public key of a certificate. `spki` is a form that every platform imports. */
export type CertificateKey =
  | {
      readonly is: 'rsa'
      readonly spki: Uint8Array
      readonly pssOnly: boolean
      /** What the key may be used with, if it says so; the salt may be longer. */
      readonly pss: PssParameters | undefined
    }
  | { readonly is: 'ec'; readonly spki: Uint8Array; readonly curve: CurveName }

const RSA = '1.2.840.113549.1.1.1'
const EC = '1.2.840.10045.2.1'
const CURVES: Readonly<Record<string, CurveName>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
}
const FIELD_BYTES = { 'P-256': 32, 'P-384': 48, 'P-521': 66 } as const
const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 8192
/** AlgorithmIdentifier { rsaEncryption, NULL } */
const RSA_IDENTIFIER = [
  0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
]

/** Parses a SubjectPublicKeyInfo. Throws TimeStampFormatError for a key that is not supported. */
export function parsePublicKey(spki: DerElement): CertificateKey {
  const what = 'the public key of a certificate'
  const reader = new DerReader(spki, what)
  const algorithm = new DerReader(reader.take(TAG.sequence, 'algorithm'), what)
  const bits = reader.take(TAG.bitString, 'key')
  reader.end()
  if (bits.content[0] !== 0) timeStampMalformed(`${what} is not whole bytes`)
  const oid = oidOf(algorithm.take(TAG.oid, 'algorithm'))
  if (oid === EC) {
    const curve =
      CURVES[oidOf(algorithm.take(TAG.oid, 'curve'))] ?? timeStampMalformed(`${what} is on an unknown curve`)
    algorithm.end()
    if (bits.content[1] !== 4 || bits.content.length !== 2 + 2 * FIELD_BYTES[curve])
      timeStampMalformed(`${what} is not an uncompressed point`)
    return { is: 'ec', spki: spki.bytes, curve }
  }
  if (oid !== RSA && oid !== RSA_PSS) timeStampMalformed(`${what} is neither RSA nor ECDSA`)
  checkRsa(bits.content.subarray(1), what)
  const parameters = oid === RSA_PSS ? algorithm.option(TAG.sequence) : undefined
  return {
    is: 'rsa',
    spki: der(TAG.sequence, Uint8Array.from(RSA_IDENTIFIER), bits.bytes),
    pssOnly: oid === RSA_PSS,
    pss: parameters === undefined ? undefined : parsePss(parameters),
  }
}

function checkRsa(key: Uint8Array, what: string): void {
  const reader = new DerReader(parseDer(key, what), what)
  const modulus = reader.take(TAG.integer, 'modulus').content
  const exponent = reader.take(TAG.integer, 'exponent').content
  reader.end()
  const digits = modulus[0] === 0 ? modulus.subarray(1) : modulus
  const bits = digits.length * 8 - Math.clz32(digits[0]!) + 24
  if (modulus[0]! >= 0x80 || bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    timeStampMalformed(`${what} does not have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`)
  const isOdd = (exponent.at(-1)! & 1) === 1
  if (!isOdd || exponent[0]! >= 0x80 || exponent.length > 4 || (exponent.length === 1 && exponent[0] === 1))
    timeStampMalformed(`${what} has an unusual exponent`)
}

/** The algorithm with which this key verifies, or undefined if it cannot. `digest` is the hash where none is named. */
function algorithmFor(
  key: CertificateKey,
  named: NamedAlgorithm,
  digest: HashName | undefined,
): SignatureAlgorithm | undefined {
  if (key.is === 'ec') return named.name === 'ECDSA' ? { ...named, curve: key.curve } : undefined
  if (named.name === 'ECDSA') return undefined
  if (named.name === 'RSA-PSS') {
    const isAllowed =
      key.pss === undefined || (named.hash === key.pss.hash && named.saltLength >= key.pss.saltLength)
    return isAllowed ? named : undefined
  }
  const hash = named.hash ?? digest
  return hash === undefined || key.pssOnly ? undefined : { name: named.name, hash }
}

/** An ECDSA signature as r ‖ s, from its DER form. Throws TimeStampFormatError. */
function plainEcdsa(signature: Uint8Array, curve: CurveName): Uint8Array {
  const what = 'an ECDSA signature'
  const reader = new DerReader(parseDer(signature, what), what)
  const size = FIELD_BYTES[curve]
  const plain = new Uint8Array(2 * size)
  for (const at of [0, size]) {
    const { content } = reader.take(TAG.integer, 'r or s')
    const digits = content[0] === 0 ? content.subarray(1) : content
    if (content[0]! >= 0x80 || digits.length === 0 || digits.length > size)
      timeStampMalformed(`${what} is out of range`)
    plain.set(digits, at + size - digits.length)
  }
  reader.end()
  return plain
}

/** Whether a signature is by the key of a certificate. `digest` is the hash where the algorithm names none. */
export async function verifyWithCertificate(
  key: CertificateKey,
  named: NamedAlgorithm,
  message: Uint8Array,
  signature: Uint8Array,
  host: Host,
  digest?: HashName,
): Promise<boolean> {
  const algorithm = algorithmFor(key, named, digest)
  if (algorithm === undefined) return false
  try {
    const plain = algorithm.name === 'ECDSA' ? plainEcdsa(signature, algorithm.curve) : signature
    return await host.verifySignature(algorithm, key.spki, message, plain)
  } catch {
    // The signature is malformed, or the platform rejects the key, such as a point that is not on the curve.
    return false
  }
}
