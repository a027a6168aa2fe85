import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, joined, viewOf } from '../platform/sources.ts'

const MAX_DIRECTORY_BYTES = 1024 * 1024
/** Values from here on mark the end of a chain. */
const LAST = 0xfffffffa
const SMALL_STREAM_BYTES = 4096
const MAX_TABLE_SECTORS = 100_000

export interface CompoundEntry {
  readonly name: string
  readonly sizeBytes: number
  readonly firstSector: number
}

/** The directory of a Compound File ([MS-CFB]), and access to the start of its streams. */
export type CompoundDirectory = Awaited<ReturnType<typeof readCompoundDirectory>>

export async function readCompoundDirectory(source: RandomAccess) {
  const head = await bytesAt(source, 0, 512)
  const header = viewOf(head)
  const shift = head.length < 512 ? 0 : header.getUint16(30, true)
  if (shift !== 9 && shift !== 12)
    return { entries: [], isComplete: false, readStart: async () => new Uint8Array(0) }
  const sectors = new Sectors(source, 2 ** shift)
  await sectors.readTable(header)
  const { bytes, isWhole } = await sectors.read(header.getUint32(48, true), MAX_DIRECTORY_BYTES)
  const entries: CompoundEntry[] = []
  for (let at = 0; at + 128 <= bytes.length; at += 128) entries.push(entryAt(bytes, at))
  const smallTable = await sectors.read(header.getUint32(60, true), MAX_DIRECTORY_BYTES)
  const root = entries[0]
  return {
    entries: entries.filter(({ name }) => name !== ''),
    /** False if the directory is damaged or too large. */
    isComplete: isWhole,
    /** Up to `limitBytes` from the start of a stream, as far as it can be read. */
    async readStart(entry: CompoundEntry, limitBytes: number): Promise<Uint8Array> {
      const wanted = Math.min(entry.sizeBytes, limitBytes)
      if (entry.sizeBytes >= SMALL_STREAM_BYTES || root === undefined) {
        return (await sectors.read(entry.firstSector, wanted)).bytes.subarray(0, wanted)
      }
      const small = await sectors.read(root.firstSector, 4 * MAX_DIRECTORY_BYTES)
      return smallStream(small.bytes, smallTable.bytes, entry.firstSector, wanted)
    },
  }
}

function entryAt(bytes: Uint8Array, at: number): CompoundEntry {
  const view = viewOf(bytes.subarray(at, at + 128))
  const length = Math.min(64, view.getUint16(64, true))
  const name = length < 2 ? '' : new TextDecoder('utf-16le').decode(bytes.subarray(at, at + length - 2))
  return { name, firstSector: view.getUint32(116, true), sizeBytes: view.getUint32(120, true) }
}

/** Streams below 4,096 bytes are in sectors of 64 bytes inside one large stream. */
function smallStream(content: Uint8Array, table: Uint8Array, first: number, wanted: number): Uint8Array {
  const stream = new Uint8Array(Math.ceil(wanted / 64) * 64)
  const next = viewOf(table)
  let sector = first
  for (let at = 0; at < wanted && sector < LAST; at += 64) {
    stream.set(content.subarray(sector * 64, sector * 64 + 64), at)
    sector = sector * 4 + 4 <= table.length ? next.getUint32(sector * 4, true) : LAST
  }
  return stream.subarray(0, wanted)
}

class Sectors {
  readonly #source: RandomAccess
  readonly #bytes: number
  /** The sectors that hold the table of chains. */
  #table: readonly number[] = []

  constructor(source: RandomAccess, bytes: number) {
    this.#source = source
    this.#bytes = bytes
  }

  /** The first 109 are in the header, the others in a chain of their own. */
  async readTable(header: DataView): Promise<void> {
    const table = Array.from({ length: 109 }, (_, index) => header.getUint32(76 + index * 4, true))
    const perSector = this.#bytes / 4 - 1
    const seen = new Set<number>()
    let sector = header.getUint32(68, true)
    while (sector < LAST && !seen.has(sector) && table.length < MAX_TABLE_SECTORS) {
      seen.add(sector)
      const bytes = await this.#sector(sector)
      if (bytes.length < this.#bytes) break
      const view = viewOf(bytes)
      for (let index = 0; index < perSector; index++) table.push(view.getUint32(index * 4, true))
      sector = view.getUint32(perSector * 4, true)
    }
    this.#table = table
  }

  /** Follows a chain up to `limitBytes`. */
  async read(
    first: number,
    limitBytes: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
    const parts: Uint8Array[] = []
    const seen = new Set<number>()
    let sector = first
    while (sector < LAST && !seen.has(sector) && seen.size * this.#bytes < limitBytes) {
      seen.add(sector)
      const bytes = await this.#sector(sector)
      parts.push(bytes)
      if (bytes.length < this.#bytes) break
      sector = await this.#next(sector)
    }
    return { bytes: joined(...parts), isWhole: sector >= LAST }
  }

  #sector(sector: number): Promise<Uint8Array> {
    return bytesAt(this.#source, (sector + 1) * this.#bytes, this.#bytes)
  }

  async #next(sector: number): Promise<number> {
    const perSector = this.#bytes / 4
    const tableSector = this.#table[Math.floor(sector / perSector)]
    if (tableSector === undefined || tableSector >= LAST) return LAST
    const bytes = await bytesAt(this.#source, (tableSector + 1) * this.#bytes + (sector % perSector) * 4, 4)
    return bytes.length < 4 ? LAST : viewOf(bytes).getUint32(0, true)
  }
}
