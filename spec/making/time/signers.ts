import { constants, createECDH, createHash, createPrivateKey, privateEncrypt, sign } from 'node:crypto'
import { der, TAG } from '../../../kit/src/time/der.ts'
import type { HashName } from '../../../kit/src/time/signature-algorithm.ts'
import { integer, nothing, oid, sequence } from './der-parts.ts'
import { RSA_PRIMES } from './rsa-primes.ts'

/** A key of a certificate, the same in every run. For tests only. */
export interface CertificateSigner {
  readonly spki: Uint8Array
  /** The signature algorithm that a certificate or a time-stamp names. */
  readonly algorithm: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

const CURVES = {
  'P-256': {
    name: 'prime256v1',
    oid: '1.2.840.10045.3.1.7',
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    bytes: 32,
  },
  'P-384': {
    name: 'secp384r1',
    oid: '1.3.132.0.34',
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    bytes: 48,
  },
  'P-521': {
    name: 'secp521r1',
    oid: '1.3.132.0.35',
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    bytes: 66,
  },
} as const
const ECDSA_WITH: Readonly<Record<HashName, string>> = {
  'SHA-256': '1.2.840.10045.4.3.2',
  'SHA-384': '1.2.840.10045.4.3.3',
  'SHA-512': '1.2.840.10045.4.3.4',
}
const RSA_WITH: Readonly<Record<HashName, string>> = {
  'SHA-256': '1.2.840.113549.1.1.11',
  'SHA-384': '1.2.840.113549.1.1.12',
  'SHA-512': '1.2.840.113549.1.1.13',
}
export const HASH_OID: Readonly<Record<HashName, string>> = {
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
}
const RSA = '1.2.840.113549.1.1.1'
const RSA_PSS = '1.2.840.113549.1.1.10'

export function digestOf(hash: HashName, bytes: Uint8Array): Buffer {
  return createHash(nodeName(hash)).update(bytes).digest()
}

const nodeName = (hash: HashName): string => hash.replace('-', '').toLowerCase()
const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const bytesOf = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')

const text = (value: bigint): string =>
  bytesOf(value, Math.ceil(value.toString(16).length / 2)).toString('base64url')

/** ECDSA with a nonce that depends on key and message, so that the signature is always the same. */
export function ecdsaSigner(
  seed: string,
  curve: keyof typeof CURVES = 'P-256',
  hash: HashName = 'SHA-256',
): CertificateSigner {
  const { name, order, bytes, oid: curveOid } = CURVES[curve]
  const scalar = (input: string | Uint8Array): bigint =>
    (number(createHash('sha512').update(`kitseal test ${seed} ${curve} `).update(input).digest()) %
      (order - 1n)) +
    1n
  const point = (factor: bigint): Buffer => {
    const ecdh = createECDH(name)
    ecdh.setPrivateKey(bytesOf(factor, bytes))
    return ecdh.getPublicKey()
  }
  const key = scalar('key')
  return {
    spki: sequence(sequence(oid('1.2.840.10045.2.1'), oid(curveOid)), bitString(point(key))),
    algorithm: sequence(oid(ECDSA_WITH[hash])),
    sign(message) {
      const k = scalar(message)
      const r = number(point(k).subarray(1, 1 + bytes)) % order
      const z = number(digestOf(hash, message).subarray(0, bytes))
      const s = (inverse(k, order) * (z + r * key)) % order
      return sequence(integer(r), integer(s))
    },
  }
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value, modulus, 1n, 0n]
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y]
  return ((x % modulus) + modulus) % modulus
}

export const bitString = (bytes: Uint8Array): Uint8Array => der(TAG.bitString, Uint8Array.of(0), bytes)

export interface RsaOptions {
  readonly bits?: keyof typeof RSA_PRIMES
  readonly hash?: HashName
  readonly scheme?: 'PKCS1' | 'PSS'
  /** Names rsaEncryption instead of the algorithm with its hash. */
  readonly bare?: boolean
  /** Restricts the key to RSASSA-PSS, or to this hash with it. */
  readonly pssKey?: boolean | HashName
}

export function rsaSigner({
  bits = 2048,
  hash = 'SHA-256',
  scheme = 'PKCS1',
  bare,
  pssKey,
}: RsaOptions): CertificateSigner {
  const [p, q] = RSA_PRIMES[bits]
  const e = 65_537n
  const n = p * q
  const d = inverse(e, (p - 1n) * (q - 1n))
  const jwk = {
    kty: 'RSA',
    n: text(n),
    e: text(e),
    d: text(d),
    p: text(p),
    q: text(q),
    dp: text(d % (p - 1n)),
    dq: text(d % (q - 1n)),
    qi: text(inverse(q, p)),
  }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const spkiAlgorithm =
    pssKey === undefined
      ? sequence(oid(RSA), nothing())
      : sequence(oid(RSA_PSS), ...(typeof pssKey === 'string' ? [pssParameters(pssKey)] : []))
  return {
    spki: sequence(spkiAlgorithm, bitString(sequence(integer(n), integer(e)))),
    algorithm:
      scheme === 'PSS'
        ? sequence(oid(RSA_PSS), pssParameters(hash))
        : sequence(oid(bare === true ? RSA : RSA_WITH[hash]), nothing()),
    sign: (message) =>
      scheme === 'PKCS1'
        ? sign(nodeName(hash), message, key)
        : privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, pssEncode(message, hash, bits)),
  }
}

function pssParameters(hash: HashName): Uint8Array {
  const named = sequence(oid(HASH_OID[hash]), nothing())
  const mask = sequence(oid('1.2.840.113549.1.1.8'), named)
  const saltLength = integer(BigInt(digestOf(hash, new Uint8Array(0)).length))
  return sequence(der(0xa0, named), der(0xa1, mask), der(0xa2, saltLength))
}

/** EMSA-PSS (RFC 8017, section 9.1.1) with a salt that depends on the message. */
function pssEncode(message: Uint8Array, hash: HashName, bits: number): Buffer {
  const size = bits / 8
  const salt = digestOf(hash, Buffer.concat([Buffer.from('salt'), message]))
  const digest = digestOf(hash, Buffer.concat([new Uint8Array(8), digestOf(hash, message), salt]))
  const block = Buffer.alloc(size - digest.length - 1)
  block[block.length - salt.length - 1] = 1
  salt.copy(block, block.length - salt.length)
  const masks: Buffer[] = []
  for (let at = 0; at * digest.length < block.length; at++)
    masks.push(digestOf(hash, Buffer.concat([digest, Uint8Array.of(0, 0, 0, at)])))
  const mask = Buffer.concat(masks)
  const masked = block.map((byte, at) => byte ^ mask[at]!)
  masked[0] = masked[0]! & 0x7f
  return Buffer.concat([masked, digest, Uint8Array.of(0xbc)])
}
