import { hex } from '../encoding/hex.ts'
import { type DerElement, DerReader, oidOf, onlyChild, parseDer, smallInteger, TAG } from './der.ts'
import { generalizedTime } from './der-time.ts'
import { type HashName, parseHashAlgorithm } from './signature-algorithm.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

/** The statement that an authority signs (RFC 3161, TSTInfo). */
export interface TstInfo {
  /** The policy of the authority, an object identifier. */
  readonly policy: string
  /** The hash of what was stamped. */
  readonly imprint: { readonly algorithm: HashName; readonly hash: Uint8Array }
  /** In hex. */
  readonly serial: string
  /** The stated time, in milliseconds since 1970, rounded up. */
  readonly time: number
  /** How much later the real time may be, in milliseconds, rounded up. */
  readonly accuracyMs: number
  /** In hex, as the integer in DER. */
  readonly nonce: string | undefined
  /** The name that the authority gives itself, a GeneralName in DER. */
  readonly authority: Uint8Array | undefined
}

const WHAT = 'the time-stamp'
const HASH_BYTES: Readonly<Record<HashName, number>> = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 }

/** Parses a TSTInfo. Throws TimeStampFormatError. */
export function parseTstInfo(bytes: Uint8Array): TstInfo {
  const reader = new DerReader(parseDer(bytes, WHAT), WHAT)
  if (smallInteger(reader.take(TAG.integer, 'version'), 'the version') !== 1)
    timeStampMalformed(`${WHAT} is not of version 1`)
  const policy = oidOf(reader.take(TAG.oid, 'policy'))
  const imprint = parseImprint(reader.take(TAG.sequence, 'message imprint'))
  const serial = hex(reader.take(TAG.integer, 'serial number').content)
  const time = generalizedTime(reader.take(TAG.generalizedTime, 'time'), 'the time of the time-stamp')
  const accuracy = reader.option(TAG.sequence)
  reader.option(TAG.boolean)
  const nonce = reader.option(TAG.integer)
  const authority = reader.option(0xa0)
  const extensions = reader.option(0xa1)
  reader.end()
  if (extensions !== undefined) checkExtensions(extensions)
  return {
    policy,
    imprint,
    serial,
    time,
    accuracyMs: accuracy === undefined ? 0 : parseAccuracy(accuracy),
    nonce: nonce === undefined ? undefined : hex(nonce.content),
    authority: authority === undefined ? undefined : onlyChild(authority, WHAT).bytes,
  }
}

function parseImprint(element: DerElement): TstInfo['imprint'] {
  const reader = new DerReader(element, 'the message imprint')
  const algorithm = parseHashAlgorithm(
    reader.take(TAG.sequence, 'hash algorithm'),
    'the hash of the time-stamp',
  )
  const hash = reader.take(TAG.octetString, 'hash').content
  reader.end()
  if (hash.length !== HASH_BYTES[algorithm]) timeStampMalformed(`${WHAT} has a hash of the wrong length`)
  return { algorithm, hash }
}

/** Accuracy { seconds, [0] millis, [1] micros }, each below 1000. Some authorities write 0, which adds nothing. */
function parseAccuracy(element: DerElement): number {
  const what = 'the accuracy of the time-stamp'
  const reader = new DerReader(element, what)
  const seconds = reader.option(TAG.integer)
  const [millis, micros] = [reader.option(0x80), reader.option(0x81)].map((part) => {
    const value = part === undefined ? 0 : smallInteger(part, what)
    return part === undefined || (part.content.length > 0 && value <= 999)
      ? value
      : timeStampMalformed(`${what} is out of range`)
  })
  reader.end()
  return (seconds === undefined ? 0 : smallInteger(seconds, what)) * 1000 + millis! + (micros! > 0 ? 1 : 0)
}

function checkExtensions(extensions: DerElement): void {
  // [1] is implicit: its content is the list.
  for (const extension of new DerReader(extensions, WHAT, 0xa1).rest()) {
    const reader = new DerReader(extension, 'an extension of the time-stamp')
    const oid = oidOf(reader.take(TAG.oid, 'name'))
    if (reader.option(TAG.boolean)?.content[0] === 0xff)
      timeStampMalformed(`${WHAT} has an unknown critical extension: ${oid}`)
    reader.take(TAG.octetString, 'value')
    reader.end()
  }
}
