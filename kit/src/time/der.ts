import { joined } from '../encoding/bytes.ts'
import { parsedOr } from '../parsing.ts'

/** A time-stamp response, a certificate or a file of certificates that does not have its exact form. */
export class TimeStampFormatError extends Error {
  override readonly name = 'TimeStampFormatError'
}

/** For what can be left out if it cannot be read. */
export function undefinedIfMalformed<T>(read: () => T): T | undefined {
  const parsed = parsedOr(TimeStampFormatError, read)
  return parsed.ok ? parsed.value : undefined
}

export function timeStampMalformed(problem: string): never {
  throw new TimeStampFormatError(problem)
}

/** One DER element. `bytes` is all of it, `content` is what follows its length. */
export interface DerElement {
  readonly tag: number
  readonly bytes: Uint8Array
  readonly content: Uint8Array
}

/** The tags that are read here. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

const CONSTRUCTED = 0x20
const UNIVERSAL_MASK = 0xc0
const MAX_DEPTH = 32

/** Reads bytes that are exactly one DER element, and checks the form of everything in it. Throws TimeStampFormatError. */
export function parseDer(bytes: Uint8Array, what: string): DerElement {
  const element = readElement(bytes, 0, what)
  if (element.bytes.length < bytes.length) timeStampMalformed(`there are bytes behind ${what}`)
  checkForm(element, what, 0)
  return element
}

/** The elements in a constructed element whose form was checked. */
export function childrenOf({ content }: DerElement, what: string): readonly DerElement[] {
  const children: DerElement[] = []
  for (let at = 0; at < content.length; at += children.at(-1)!.bytes.length)
    children.push(readElement(content, at, what))
  return children
}

function readElement(bytes: Uint8Array, at: number, what: string): DerElement {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return timeStampMalformed(`${what} ends early`)
  if ((tag & 0x1f) === 0x1f) timeStampMalformed(`${what} has a tag number above 30`)
  let length = first
  let start = at + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    // 0x80 is the indefinite length of BER.
    if (count === 0 || count > 4) timeStampMalformed(`${what} has a length that is not DER`)
    length = 0
    for (const byte of bytes.subarray(start, start + count)) length = length * 256 + byte
    start += count
    if (length < 0x80 || length < 256 ** (count - 1))
      timeStampMalformed(`${what} has a length that is not minimal`)
  }
  if (start + length > bytes.length) timeStampMalformed(`${what} ends early`)
  return { tag, bytes: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) }
}

function checkForm(element: DerElement, what: string, depth: number): void {
  const { tag, content } = element
  if (depth > MAX_DEPTH) timeStampMalformed(`${what} is nested too deep`)
  const isUniversal = (tag & UNIVERSAL_MASK) === 0
  const isConstructed = (tag & CONSTRUCTED) !== 0
  // Strings in pieces are BER.
  if (isUniversal && isConstructed !== (tag === TAG.sequence || tag === TAG.set))
    timeStampMalformed(`${what} contains an element in a form that is not DER`)
  if (isConstructed) for (const child of childrenOf(element, what)) checkForm(child, what, depth + 1)
  if (tag === TAG.boolean && !(content.length === 1 && (content[0] === 0 || content[0] === 0xff)))
    timeStampMalformed(`${what} contains a boolean that is not DER`)
  if (tag === TAG.integer && !isMinimal(content))
    timeStampMalformed(`${what} contains an integer that is not DER`)
  if (tag === TAG.null && content.length > 0) timeStampMalformed(`${what} contains a null with content`)
  if (tag === TAG.oid && !isOid(content))
    timeStampMalformed(`${what} contains an object identifier that is not DER`)
}

function isMinimal(content: Uint8Array): boolean {
  const [first, second] = content
  if (first === undefined) return false
  return second === undefined || !((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
}

function isOid(content: Uint8Array): boolean {
  const last = content.at(-1)
  if (last === undefined || last >= 0x80) return false
  return content.every((byte, at) => byte !== 0x80 || (at > 0 && content[at - 1]! >= 0x80))
}

/** Reads the elements of a sequence one by one, in order. */
export class DerReader {
  readonly #elements: readonly DerElement[]
  readonly #what: string
  #at = 0

  constructor(element: DerElement | undefined, what: string, tag: number = TAG.sequence) {
    if (element?.tag !== tag) timeStampMalformed(`${what} is missing or has the wrong type`)
    this.#elements = childrenOf(element, what)
    this.#what = what
  }

  /** The next element, which must have this tag. */
  take(tag: number, part: string): DerElement {
    return this.option(tag) ?? timeStampMalformed(`${this.#what} has no ${part}`)
  }

  /** The next element if it has this tag. */
  option(tag: number): DerElement | undefined {
    const element = this.#elements[this.#at]
    if (element?.tag !== tag) return undefined
    this.#at += 1
    return element
  }

  /** All the elements that are left. */
  rest(): readonly DerElement[] {
    const rest = this.#elements.slice(this.#at)
    this.#at = this.#elements.length
    return rest
  }

  /** Throws if there are elements left. */
  end(): void {
    if (this.#at < this.#elements.length) timeStampMalformed(`${this.#what} has an unknown element`)
  }
}

/** The only element in a sequence, set or explicit tag. */
export function onlyChild(element: DerElement, what: string): DerElement {
  const [child, ...others] = childrenOf(element, what)
  return child === undefined || others.length > 0
    ? timeStampMalformed(`${what} is not exactly one element`)
    : child
}

/** An object identifier in dotted notation. */
export function oidOf({ content }: DerElement): string {
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [first = 0, ...others] = arcs
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...others].join('.')
}

/** An integer from 0 to 2^31 − 1. */
export function smallInteger({ content }: DerElement, what: string): number {
  if (content.length > 4 || content[0]! >= 0x80) timeStampMalformed(`${what} is out of range`)
  return content.reduce((value, byte) => value * 256 + byte, 0)
}

/** Writes one element. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  const digits: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) digits.unshift(left % 256)
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + digits.length, ...digits]
  return joined([Uint8Array.from(head), ...contents])
}

const text = ({ content }: DerElement): string => String.fromCharCode(...content)

/** A GeneralizedTime in milliseconds since 1970, rounded up: UTC, with seconds, optionally with a fraction. */
export function generalizedTime(element: DerElement, what: string): number {
  const [, seconds, fraction = ''] = /^(\d{14})(?:\.(\d+))?Z$/.exec(text(element)) ?? []
  if (seconds === undefined || element.content.length > 40)
    return timeStampMalformed(`${what} is not a UTC time in DER`)
  // DER has no zeros at the end, but some authorities write them.
  return (
    utc(seconds, what) + Number(fraction.slice(0, 3).padEnd(3, '0')) + Number(/[1-9]/.test(fraction.slice(3)))
  )
}

/** A time of a certificate (RFC 5280): UTCTime or GeneralizedTime with seconds and without a fraction. */
export function certificateTime(element: DerElement): number {
  const what = 'the validity of a certificate'
  const digits = text(element)
  if (element.tag === TAG.utcTime && /^\d{12}Z$/.test(digits))
    return utc(`${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits.slice(0, 12)}`, what)
  if (element.tag !== TAG.generalizedTime || !/^\d{14}Z$/.test(digits))
    timeStampMalformed(`${what} is not in DER`)
  return utc(digits.slice(0, 14), what)
}

function utc(digits: string, what: string): number {
  const iso = digits.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6.000Z')
  const time = Date.parse(iso)
  const exists = !Number.isNaN(time) && new Date(time).toISOString() === iso
  return exists ? time : timeStampMalformed(`${what} is not an existing time`)
}
