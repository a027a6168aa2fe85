import { reason } from '../texts/english.ts'
import { fromUtf8 } from './bytes.ts'
import * as zip from './zip-format.ts'
import { type EntryReading, FULL_32, UTF8_NAMES, ZIP64_EXTRA, ZipProblem } from './zip-format.ts'

/** The error for compressed data that is corrupt, too long or too short. */
export const brokenData = (): ZipProblem => new ZipProblem(reason('reason.badData'))

export interface RandomAccess {
  readonly sizeBytes: number
  /** Returns `length` bytes at `offset`, valid until the next read. Fewer bytes mean that the source is truncated. */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>
  /** Called when the bytes of a read are no longer needed, so that their buffer can be reused. */
  done?(bytes: Uint8Array): void
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function u64(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true))
  if (!Number.isSafeInteger(value)) throw new ZipProblem('a size or offset is too large')
  return value
}

export const UNICODE_PATH_EXTRA = 0x7075
const ENCRYPTION_EXTRAS = new Set([0x0017, 0x9901])
const NO_FIELDS: ReadonlyMap<number, Uint8Array> = new Map()

/** Fields that say what an entry is. Twice, programs could read either. */
const MEANINGFUL_EXTRAS = new Set([ZIP64_EXTRA, UNICODE_PATH_EXTRA, ...ENCRYPTION_EXTRAS])

/** The extra fields of a header by ID. Malformed and duplicate fields are rejected: programs read them differently. */
export function extraFields(
  bytes: Uint8Array,
  reading: EntryReading,
  encryptedToo = false,
): ReadonlyMap<number, Uint8Array> {
  if (bytes.length === 0) return NO_FIELDS
  const fields = new Map<number, Uint8Array>()
  const view = viewOf(bytes)
  let at = 0
  while (at < bytes.length) {
    // Some tools align the data with up to three bytes.
    if (at + 4 > bytes.length && reading.isTolerant) break
    if (at + 4 > bytes.length) throw new ZipProblem('malformed extra field')
    const id = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    if (at + 4 + length > bytes.length) {
      reading.irregular('malformed extra field')
      break
    }
    const isHarmless = reading.isTolerant && !MEANINGFUL_EXTRAS.has(id)
    if (fields.has(id) && !isHarmless) throw new ZipProblem('duplicate extra field')
    if (!encryptedToo && ENCRYPTION_EXTRAS.has(id)) throw new ZipProblem('an entry is encrypted', 'encrypted')
    fields.set(id, bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return fields
}

/**
 * Replaces each saturated 32-bit field by its 64-bit value. The extra field must contain exactly those, in order:
 * programs disagree on unneeded or longer ones.
 */
export function zip64Values(
  fields: ReadonlyMap<number, Uint8Array>,
  values: readonly number[],
  { isTolerant }: EntryReading,
): readonly number[] {
  const field = fields.get(ZIP64_EXTRA)
  if (field === undefined) {
    if (values.includes(FULL_32)) throw new ZipProblem('a zip64 field is missing')
    return values
  }
  const wanted = values.filter((value) => value === FULL_32).length
  // Documents of Apple have one that repeats the sizes, or is all zero.
  if (wanted === 0 && isTolerant && isUnused(field, values)) return values
  // Some tools write all values. Programs take them in order.
  const isLonger = isTolerant && field.length > wanted * 8
  if (wanted === 0 || (field.length !== wanted * 8 && !isLonger))
    throw new ZipProblem('a zip64 field does not match its header')
  const view = viewOf(field)
  let at = 0
  return values.map((value) => {
    if (value !== FULL_32) return value
    at += 8
    return u64(view, at - 8)
  })
}

/** All zero, or the same values again: every program then reads the same sizes. */
function isUnused(field: Uint8Array, values: readonly number[]): boolean {
  if (field.every((byte) => byte === 0)) return true
  if (field.length % 8 !== 0 || field.length / 8 > values.length) return false
  const view = viewOf(field)
  return values.slice(0, field.length / 8).every((value, index) => u64(view, index * 8) === value)
}

export function saysEncrypted(extraIds: readonly number[]): boolean {
  return extraIds.some((id) => ENCRYPTION_EXTRAS.has(id))
}

/** Decodes the name of an entry. Names that programs decode differently are rejected. */
export function entryName(
  bytes: Uint8Array,
  flags: number,
  fields: ReadonlyMap<number, Uint8Array>,
  unmarkedUtf8 = false,
): string {
  const name = fromUtf8(bytes)
  if (name === undefined) throw new ZipProblem('an entry name is not UTF-8', 'name')
  const unicodePath = fields.get(UNICODE_PATH_EXTRA)
  // The field contains a version byte, a CRC-32 of the name in the header, and the name.
  const again = unicodePath === undefined ? undefined : fromUtf8(unicodePath.subarray(5))
  if (unicodePath !== undefined && again !== name)
    throw new ZipProblem(`an entry has two names: ${name} and ${again}`, 'name')
  const plain = /^[\x20-\x7e]*$/.test(name)
  if (!plain && !unmarkedUtf8 && (flags & UTF8_NAMES) === 0 && again === undefined) {
    throw new ZipProblem(`the name ${JSON.stringify(name)} is not marked as UTF-8`, 'name')
  }
  if (name === '') throw new ZipProblem('an entry has no name', 'name')
  if (name.includes('\0')) throw new ZipProblem('an entry name contains a NUL character', 'name')
  return name
}

const MAX_GAP_BYTES = 1024 * 1024
const HEADERS: ReadonlySet<number> = new Set([zip.LOCAL_HEADER, zip.CENTRAL_HEADER, zip.END_RECORD])

/**
 * Bytes that belong to no entry. Programs skip them, unless there are headers in them: some programs read an archive from
 * its start, or another directory, and find other files there.
 */
export async function checkGap(
  source: Pick<RandomAccess, 'read'>,
  at: number,
  sizeBytes: number,
  what: string,
  reading: EntryReading,
): Promise<void> {
  if (!reading.isTolerant || sizeBytes > MAX_GAP_BYTES) throw new ZipProblem(what)
  if (hasHeader(await source.read(at, sizeBytes))) throw new ZipProblem(what)
  reading.irregular(what)
}

export function hasHeader(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  for (let at = bytes.indexOf(0x50); at !== -1 && at + 4 <= bytes.length; at = bytes.indexOf(0x50, at + 1))
    if (HEADERS.has(view.getUint32(at, true))) return true
  return false
}

export const WINDOW_BYTES = 256 * 1024

/** A buffered reader: small entries need no read of their own. */
export class ZipWindow {
  readonly #source: RandomAccess
  readonly #end: number
  readonly #bufferBytes: number
  #at = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: RandomAccess, end: number, bufferBytes = WINDOW_BYTES) {
    this.#source = source
    this.#end = end
    this.#bufferBytes = bufferBytes
  }

  /** No promise for what is buffered: archives have thousands of small entries. Valid until the next read. */
  read(at: number, length: number): Uint8Array | Promise<Uint8Array> {
    if (at + length > this.#end) throw new ZipProblem('it extends past the end of the entries')
    const from = at - this.#at
    if (from >= 0 && from + length <= this.#bytes.length) return this.#bytes.subarray(from, from + length)
    const bufferBytes = Math.min(Math.max(length, this.#bufferBytes), this.#end - at)
    return this.#fill(at, bufferBytes).then(() => this.#bytes.subarray(0, length))
  }

  async *chunks(at: number, length: number): AsyncGenerator<Uint8Array> {
    const end = at + length
    if (end > this.#end && length > 0) throw new ZipProblem('it extends past the end of the entries')
    for (let from = at; from < end;) {
      if (from < this.#at || from >= this.#at + this.#bytes.length) {
        await this.#fill(from, Math.min(WINDOW_BYTES, this.#end - from))
      }
      const bytes = this.#bytes.subarray(from - this.#at, Math.min(this.#bytes.length, end - this.#at))
      from += bytes.length
      yield bytes
    }
  }

  async #fill(at: number, length: number): Promise<void> {
    this.#source.done?.(this.#bytes)
    this.#bytes = await this.#source.read(at, length)
    this.#at = at
    if (this.#bytes.length !== length) throw new ZipProblem(reason('reason.cutOff'))
  }
}
