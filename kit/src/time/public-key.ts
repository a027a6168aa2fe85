import { der, type DerElement, DerReader, oidOf, parseDer, TAG } from './der.ts'
import {
  type CurveName,
  type HashName,
  type NamedAlgorithm,
  parsePss,
  type PssParameters,
  type SignatureAlgorithm,
} from './signature-algorithm.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

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
const RSA_PSS = '1.2.840.113549.1.1.10'
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
export function algorithmFor(
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
export function plainEcdsa(signature: Uint8Array, curve: CurveName): Uint8Array {
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
