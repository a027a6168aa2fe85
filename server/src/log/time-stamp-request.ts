import { der, hex, TAG } from '@kitseal/kit/internal'

/** AlgorithmIdentifier { id-sha256, NULL } */
const SHA256 = [0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00]

/**
 * A request for a time-stamp over a SHA-256, with the authority's certificate in the response. `nonce` are random bytes;
 * the response must have the same, which
 * nonceHex() gives in the form of `TimeStamp.nonce`.
 */
export function timeStampRequest(sha256: Uint8Array, nonce: Uint8Array): Uint8Array {
  return der(
    TAG.sequence,
    der(TAG.integer, Uint8Array.of(1)),
    der(TAG.sequence, Uint8Array.from(SHA256), der(TAG.octetString, sha256)),
    der(TAG.integer, nonceInteger(nonce)),
    der(TAG.boolean, Uint8Array.of(0xff)),
  )
}

/** A nonce as TimeStamp.nonce has it. */
export function nonceHex(nonce: Uint8Array): string {
  return hex(nonceInteger(nonce))
}

/** The nonce as a positive integer in DER. */
function nonceInteger(nonce: Uint8Array): Uint8Array {
  const start = nonce.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : nonce.subarray(start)
  return digits[0]! < 0x80 ? digits : Uint8Array.of(0, ...digits)
}
