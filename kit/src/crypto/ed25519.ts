import { reason, type Why } from '../texts/english.ts'
import type { Host } from '../host.ts'
import { fromHex } from '../encoding/bytes.ts'

type SignatureVerdict = { readonly valid: true } | { readonly valid: false; readonly why: Why }

/**
 * Verifies a pure Ed25519 signature (RFC 8032). Edge cases are rejected before the platform is called: some accept a
 * forgery for any message under a low-order key, and libraries disagree on non-canonical points.
 */
export async function verifySignature(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  host: Host,
): Promise<SignatureVerdict> {
  if (publicKey.length !== 32) return invalid('the public key is not 32 bytes')
  if (signature.length !== 64) return invalid('the signature is not 64 bytes')
  const keyProblem = pointProblem(publicKey)
  if (keyProblem !== undefined) return invalid(`the public key is a ${keyProblem} point`)
  const pointR = pointProblem(signature.subarray(0, 32))
  if (pointR !== undefined) return invalid(`the signature's R is a ${pointR} point`)
  if (!isBelow(signature.subarray(32), ORDER))
    return invalid("the signature's S is not below the group order")
  try {
    if (await host.verifyEd25519(publicKey, message, signature)) return { valid: true }
    return invalid(reason('reason.badSignature'))
  } catch (error) {
    return invalid(error instanceof Error ? error.message : 'the signature could not be checked')
  }
}

/** What is wrong with an encoded Ed25519 point, or undefined. */
export function pointProblem(point: Uint8Array): 'low-order' | 'non-canonical' | undefined {
  // Not slice(), which does not copy a Buffer.
  const y = new Uint8Array(point)
  y[31] = y[31]! & 0x7f
  if (LOW_ORDER_Y.some((low) => low.every((byte, at) => byte === y[at]))) return 'low-order'
  if (!isBelow(y, FIELD_PRIME)) return 'non-canonical'
  return undefined
}

function invalid(why: Why): SignatureVerdict {
  return { valid: false, why }
}

/** Compares 32-byte little-endian numbers. Not constant-time: nothing here is secret. */
function isBelow(number: Uint8Array, bound: Uint8Array): boolean {
  for (let at = 31; at >= 0; at--) if (number[at] !== bound[at]) return number[at]! < bound[at]!
  return false
}

const FIELD_PRIME = nearPrime('ed')
const ORDER = constant('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010')
// The y coordinates of the eight low-order points. The sign bit does not matter, and p and p+1 equal 0 and 1.
const LOW_ORDER_Y = [
  constant('00'),
  constant('01'),
  nearPrime('ec'),
  constant('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
  constant('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
]

/** 32 bytes in hex, without zeros at the end. */
function constant(text: string): Uint8Array {
  return fromHex(text.padEnd(64, '0'))!
}

/** 2^255 − 256 + the byte: ed is the prime, ec is −1. */
function nearPrime(byte: string): Uint8Array {
  return constant(`${byte.padEnd(62, 'f')}7f`)
}
