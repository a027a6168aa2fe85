import { createHash } from 'node:crypto'
import { hex } from '../../kit/src/encoding/hex.ts'

/** Enough of edwards25519 to make invalid signatures and keys. Not constant-time: never use it with secrets. */
export const P = 2n ** 255n - 19n
export const L = 2n ** 252n + 27742317777372353535851937790883648493n

const D = mod(-121665n * inverse(121666n))

interface Point {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
  readonly t: bigint
}

const BASE = pointWithY(mod(4n * inverse(5n)), 0n)

/** A point of order eight. */
export const ORDER_EIGHT = decode(
  Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'),
)

export interface Scalar {
  readonly a: bigint
  readonly prefix: Uint8Array
}

/** RFC 8032 section 5.1.5. */
export function expandSeed(seed: Uint8Array): Scalar {
  const h = createHash('sha512').update(seed).digest()
  h[0]! &= 248
  h[31] = (h[31]! & 127) | 64
  return { a: toNumber(h.subarray(0, 32)), prefix: h.subarray(32) }
}

export function multiplyBase(scalar: bigint): Point {
  let sum: Point = { x: 0n, y: 1n, z: 1n, t: 0n }
  let step = BASE
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, step)
    step = add(step, step)
  }
  return sum
}

export function add(p: Point, q: Point): Point {
  const a = mod((p.y - p.x) * (q.y - q.x))
  const b = mod((p.y + p.x) * (q.y + q.x))
  const c = mod(2n * p.t * q.t * D)
  const d = mod(2n * p.z * q.z)
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return { x: mod(e * f), y: mod(g * h), z: mod(f * g), t: mod(e * h) }
}

export function encode({ x, y, z }: Point): Uint8Array {
  const inverseZ = inverse(z)
  const bytes = toBytes(mod(y * inverseZ))
  bytes[31]! |= Number(mod(x * inverseZ) & 1n) << 7
  return bytes
}

/** k of the verification equation: the hash of R, A and the message. */
export function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array, dom = ''): bigint {
  const hash = createHash('sha512').update(Buffer.from(dom, 'latin1'))
  return toNumber(hash.update(r).update(key).update(message).digest()) % L
}

export function signatureOf(r: Uint8Array, s: bigint): Uint8Array {
  return Buffer.concat([r, toBytes(s)])
}

export function toBytes(number: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toReversed())
}

export function toNumber(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${hex(littleEndian.toReversed())}`)
}

function decode(bytes: Uint8Array): Point {
  const number = toNumber(bytes)
  return pointWithY(number & (2n ** 255n - 1n), number >> 255n)
}

function pointWithY(y: bigint, sign: bigint): Point {
  const xx = mod((y * y - 1n) * inverse(D * y * y + 1n))
  let x = power(xx, (P + 3n) / 8n)
  if (mod(x * x - xx) !== 0n) x = mod(x * power(2n, (P - 1n) / 4n))
  if (mod(x * x - xx) !== 0n) throw new Error('no point has this y')
  if ((x & 1n) !== sign) x = P - x
  return { x, y, z: 1n, t: mod(x * y) }
}

function inverse(number: bigint): bigint {
  return power(number, P - 2n)
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = mod(base)
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

function mod(number: bigint): bigint {
  const rest = number % P
  return rest < 0n ? rest + P : rest
}
