import { utf8 } from '../../../kit/src/encoding/bytes.ts'
import { der, TAG } from '../../../kit/src/time/der.ts'

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(TAG.sequence, ...parts)
export const set = (...parts: readonly Uint8Array[]): Uint8Array => der(TAG.set, ...parts)
export const nothing = (): Uint8Array => der(TAG.null)
export const octets = (...parts: readonly Uint8Array[]): Uint8Array => der(TAG.octetString, ...parts)
export const boolean = (value: boolean): Uint8Array => der(TAG.boolean, Uint8Array.of(value ? 0xff : 0))
export const generalizedTime = (text: string): Uint8Array => der(TAG.generalizedTime, utf8(text))
export const utcTime = (text: string): Uint8Array => der(TAG.utcTime, utf8(text))

/** A non-negative integer. */
export function integer(value: bigint): Uint8Array {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return der(TAG.integer, bytes[0]! < 0x80 ? bytes : Buffer.concat([Uint8Array.of(0), bytes]))
}

export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  return der(TAG.oid, Uint8Array.from([first * 40 + second, ...others].flatMap(base128)))
}

function base128(arc: number): readonly number[] {
  const digits = [arc % 128]
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift(128 + (left % 128))
  return digits
}

/** SET OF in DER order. */
export function setOf(...parts: readonly Uint8Array[]): Uint8Array {
  return set(...parts.toSorted((a, b) => Buffer.compare(a, b)))
}

/** A name with an organization and a common name, in strings of a type. */
export function name(commonName: string, stringTag: number = TAG.utf8String): Uint8Array {
  const part = (type: string, text: string): Uint8Array =>
    set(sequence(oid(type), der(stringTag, utf8(text))))
  return sequence(part('2.5.4.10', 'Test'), part('2.5.4.3', commonName))
}
