import { createHash } from 'node:crypto'
import { thumbprint } from '../../../kit/src/jwks.ts'
import { hex } from '../../../kit/src/encoding/hex.ts'
import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { type Case, fails, sealed, SIGNATURE } from '../case.ts'
import {
  add,
  challenge,
  encode,
  L,
  multiplyBase,
  ORDER_EIGHT,
  P,
  signatureOf,
  toBytes,
  toNumber,
} from '../edwards.ts'
import { KEY_SETS, keySetFile, ODD_KEYS } from '../key-sets.ts'
import { issuer } from '../keys.ts'

const INVALID = fails(['signature_invalid'], SIGNATURE)
const { a } = issuer.scalar
const IDENTITY = toBytes(1n)

const signedBy = (name: string, sign: (message: Uint8Array) => Uint8Array): Case =>
  sealed(name, { sign }, INVALID)

const underKey = (
  name: string,
  key: keyof typeof ODD_KEYS,
  sign: (message: Uint8Array) => Uint8Array,
): Case =>
  sealed(name, { kid: thumbprint(ODD_KEYS[key]), jwks: KEY_SETS[key], sign }, INVALID, {
    jwks: [keySetFile(key)],
  })

/** A signature with a chosen R: it satisfies S·B = R + k·A up to the order of R. */
const withR = (r: Uint8Array) => (message: Uint8Array) =>
  signatureOf(r, (challenge(r, issuer.publicKey, message) * a) % L)

/** Signatures that some implementations accept, and signatures over other data. */
export const forgedSignatures: readonly Case[] = [
  signedBy('a-signature-of-zeros-fails', () => new Uint8Array(64)),
  signedBy('a-signature-with-s-plus-the-group-order-fails', (message) => {
    const signature = issuer.sign(message)
    return signatureOf(signature.subarray(0, 32), toNumber(signature.subarray(32)) + L)
  }),
  signedBy('a-signature-whose-r-is-the-identity-fails', withR(IDENTITY)),
  signedBy('a-signature-whose-r-is-the-identity-spelled-non-canonically-fails', withR(toBytes(P + 1n))),
  signedBy(
    'a-signature-whose-r-is-the-identity-with-its-sign-bit-set-fails',
    withR(toBytes(1n + 2n ** 255n)),
  ),
  signedBy('a-signature-whose-r-has-order-eight-fails', withR(encode(ORDER_EIGHT))),
  signedBy('a-signature-whose-r-is-non-canonical-fails', withR(toBytes(P + 3n))),
  signedBy('a-signature-that-holds-only-up-to-a-point-of-order-eight-fails', (message) => {
    const nonce = nonceFor(message)
    const r = encode(add(multiplyBase(nonce), ORDER_EIGHT))
    return signatureOf(r, (nonce + challenge(r, issuer.publicKey, message) * a) % L)
  }),
  underKey('the-universal-forgery-under-the-identity-key-fails', 'identity', () => signatureOf(IDENTITY, 0n)),
  underKey('a-signature-under-a-key-of-order-eight-fails', 'order-eight', () => signatureOf(IDENTITY, 0n)),
  underKey('a-signature-under-a-non-canonical-key-fails', 'non-canonical', issuer.sign),
  underKey('a-signature-under-a-mixed-order-key-fails', 'mixed-order', (message) => {
    const key = Buffer.from(ODD_KEYS['mixed-order'], 'base64url')
    const nonce = nonceFor(message)
    const r = encode(multiplyBase(nonce))
    return signatureOf(r, (nonce + challenge(r, key, message) * a) % L)
  }),
  signedBy('an-ed25519ctx-signature-is-not-a-pure-one', (message) => signedWithDomain(message, 0, 'kitseal')),
  signedBy('an-ed25519ph-signature-is-not-a-pure-one', (message) =>
    signedWithDomain(createHash('sha512').update(message).digest(), 1, ''),
  ),
  signedBy('a-signature-over-the-hash-of-the-receipt-fails', (message) => issuer.sign(sha256(message))),
  signedBy('a-signature-over-the-canonical-receipt-hash-alone-fails', (message) =>
    issuer.sign(utf8(hex(sha256(message)))),
  ),
  signedBy('a-signature-over-the-receipt-without-its-hash-fails', (message) => {
    const text = Buffer.from(message).toString()
    return issuer.sign(utf8(text.replace(/"canonical_receipt_sha256":"[0-9a-f]*",/, '')))
  }),
  signedBy('a-signature-over-the-receipt-with-spaces-fails', (message) => {
    return issuer.sign(utf8(JSON.stringify(JSON.parse(Buffer.from(message).toString()), null, 2)))
  }),
  signedBy('the-two-halves-of-a-signature-in-the-wrong-order-fail', (message) => {
    const signature = issuer.sign(message)
    return Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])
  }),
]

function nonceFor(message: Uint8Array): bigint {
  return toNumber(createHash('sha512').update(issuer.scalar.prefix).update(message).digest()) % L
}

/** RFC 8032 section 5.1: the variants with a domain prefix. */
function signedWithDomain(message: Uint8Array, flag: number, context: string): Uint8Array {
  const dom = `SigEd25519 no Ed25519 collisions${String.fromCharCode(flag, context.length)}${context}`
  const nonce = nonceFor(message)
  const r = encode(multiplyBase(nonce))
  return signatureOf(r, (nonce + challenge(r, issuer.publicKey, message, dom) * a) % L)
}
