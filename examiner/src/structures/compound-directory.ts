import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, copyOf, memorySource, viewOf } from '../platform/sources.ts'

/** A mailbox of a hundred thousand attachments has a directory of this size. */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
/** Values from here on mark the end of a chain. */
const LAST = 0xfffffffa
const SMALL_STREAM_BYTES = 4096
const SMALL_SECTOR_BYTES = 64
const MAX_TABLE_SECTORS = 100_000
const ENTRY_BYTES = 128
const MAX_DEPTH = 50

export interface CompoundEntry {
  readonly name: string
  /** The names of the storages that it is in, outermost first. Undefined if the tree does not reach it. */
  readonly storages: readonly string[] | undefined
  /** 1 for a storage, 2 for a stream. Damaged files say anything. */
  readonly kind: number
  /** The class of a storage, in hex. */
  readonly classId: string
  readonly sizeBytes: number
  readonly firstSector: number
}

/** The directory of a Compound File ([MS-CFB]), and access to its streams. */
export interface CompoundDirectory {
  /** The class of the root, in hex. */
  readonly classId: string
  readonly entries: readonly CompoundEntry[]
  /** False if the directory is damaged or too large. */
  readonly isComplete: boolean
  /** Up to `limitBytes` from the start of a stream, as far as it can be read. */
  readStart(entry: CompoundEntry, limitBytes: number): Promise<Uint8Array>
  /** Random access to a stream, as far as it can be read. */
  open(entry: CompoundEntry): Promise<RandomAccess>
}

export async function readCompoundDirectory(source: RandomAccess): Promise<CompoundDirectory> {
  const head = await bytesAt(source, 0, 512)
  const header = viewOf(head)
  const shift = head.length < 512 ? 0 : header.getUint16(30, true)
  if (shift !== 9 && shift !== 12)
    return {
      classId: '',
      entries: [],
      isComplete: false,
      readStart: async () => new Uint8Array(0),
      open: async () => memorySource(new Uint8Array(0)),
    }
  const sectors = new Sectors(source, 2 ** shift)
  await sectors.readTable(header)
  const { bytes, isWhole } = await sectors.readAll(header.getUint32(48, true), MAX_DIRECTORY_BYTES)
  const raw = rawEntries(bytes)
  const root = raw[0]
  let small: Promise<SmallStreams> | undefined
  const open = async (entry: CompoundEntry): Promise<RandomAccess> => {
    if (entry.sizeBytes >= SMALL_STREAM_BYTES || root === undefined)
      return sectors.open(await sectors.chain(entry.firstSector, entry.sizeBytes), entry.sizeBytes)
    small ??= readSmallStreams(sectors, root, header.getUint32(60, true))
    return memorySource(smallStream(await small, entry.firstSector, entry.sizeBytes))
  }
  return {
    classId: root?.classId ?? '',
    entries: withStorages(raw),
    isComplete: isWhole,
    open,
    async readStart(entry, limitBytes) {
      const sizeBytes = Math.min(entry.sizeBytes, limitBytes)
      const stream = await open(sizeBytes >= SMALL_STREAM_BYTES ? { ...entry, sizeBytes } : entry)
      return bytesAt(stream, 0, sizeBytes)
    },
  }
}

interface RawEntry extends CompoundEntry {
  readonly left: number
  readonly right: number
  readonly child: number
}

function rawEntries(bytes: Uint8Array): readonly RawEntry[] {
  const utf16 = new TextDecoder('utf-16le')
  const entries: RawEntry[] = []
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const view = viewOf(bytes.subarray(at, at + ENTRY_BYTES))
    const length = Math.min(64, view.getUint16(64, true))
    entries.push({
      name: length < 2 ? '' : utf16.decode(bytes.subarray(at, at + length - 2)),
      storages: undefined,
      kind: view.getUint8(66),
      left: view.getUint32(68, true),
      right: view.getUint32(72, true),
      child: view.getUint32(76, true),
      classId: Array.from(bytes.subarray(at + 80, at + 96), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
      firstSector: view.getUint32(116, true),
      sizeBytes: view.getUint32(120, true),
    })
  }
  return entries
}

/** Follows the tree, and lists what it does not reach as well: programs repair damaged trees. */
function withStorages(raw: readonly RawEntry[]): readonly CompoundEntry[] {
  const storagesOf = new Map<number, readonly string[]>()
  const open: [index: number, storages: readonly string[]][] = [[raw[0]?.child ?? LAST, []]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [index, storages] = next
    const entry = raw[index]
    if (entry === undefined || storagesOf.has(index)) continue
    storagesOf.set(index, storages)
    open.push([entry.left, storages], [entry.right, storages])
    if (storages.length < MAX_DEPTH) open.push([entry.child, [...storages, entry.name]])
  }
  return raw.flatMap(({ left: _left, right: _right, child: _child, ...entry }, index) =>
    entry.name === '' || index === 0 ? [] : [{ ...entry, storages: storagesOf.get(index) }],
  )
}

interface SmallStreams {
  readonly bytes: Uint8Array
  readonly next: DataView
}

/** Streams below 4,096 bytes are in sectors of 64 bytes inside one large stream. */
async function readSmallStreams(
  sectors: Sectors,
  root: CompoundEntry,
  tableSector: number,
): Promise<SmallStreams> {
  const { bytes } = await sectors.readAll(root.firstSector, MAX_DIRECTORY_BYTES)
  const table = await sectors.readAll(tableSector, MAX_DIRECTORY_BYTES)
  return { bytes, next: viewOf(table.bytes) }
}

function smallStream({ bytes, next }: SmallStreams, first: number, wanted: number): Uint8Array {
  const stream = new Uint8Array(Math.ceil(wanted / SMALL_SECTOR_BYTES) * SMALL_SECTOR_BYTES)
  let sector = first
  for (let at = 0; at < wanted && sector < LAST; at += SMALL_SECTOR_BYTES) {
    stream.set(bytes.subarray(sector * SMALL_SECTOR_BYTES, (sector + 1) * SMALL_SECTOR_BYTES), at)
    sector = sector * 4 + 4 <= next.byteLength ? next.getUint32(sector * 4, true) : LAST
  }
  return stream.subarray(0, wanted)
}

class Sectors {
  readonly #source: RandomAccess
  readonly #bytes: number
  /** The sectors that hold the table of chains, and those of them that were read last. */
  #table: readonly number[] = []
  #tableIndex = -1
  #tableView: DataView = new DataView(new ArrayBuffer(0))

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
      const bytes = await bytesAt(this.#source, (sector + 1) * this.#bytes, this.#bytes)
      if (bytes.length < this.#bytes) break
      const view = viewOf(bytes)
      for (let index = 0; index < perSector; index++) table.push(view.getUint32(index * 4, true))
      sector = view.getUint32(perSector * 4, true)
    }
    this.#table = table
  }

  /** The sectors of a chain, as far as `limitBytes`. The last one is beyond the end if the chain goes on. */
  async chain(first: number, limitBytes: number): Promise<readonly number[]> {
    const chain: number[] = []
    const seen = new Set<number>()
    let sector = first
    while (sector < LAST && !seen.has(sector) && chain.length * this.#bytes < limitBytes) {
      if ((sector + 1) * this.#bytes >= this.#source.sizeBytes) break
      seen.add(sector)
      chain.push(sector)
      sector = await this.#next(sector)
    }
    return chain
  }

  /** `isWhole`: the chain ends before the limit. */
  async readAll(
    first: number,
    limitBytes: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
    const chain = await this.chain(first, limitBytes)
    const isWhole = chain.length === 0 ? first >= LAST : (await this.#next(chain.at(-1) as number)) >= LAST
    const stream = this.open(chain, chain.length * this.#bytes)
    return { bytes: await bytesAt(stream, 0, stream.sizeBytes), isWhole }
  }

  open(chain: readonly number[], sizeBytes: number): RandomAccess {
    const perSector = this.#bytes
    const source = this.#source
    return {
      sizeBytes: Math.min(sizeBytes, chain.length * perSector),
      async read(offset, length) {
        const bytes = new Uint8Array(length)
        for (let done = 0; done < length;) {
          const index = Math.floor((offset + done) / perSector)
          const inSector = (offset + done) % perSector
          // Neighbours are read at once.
          let count = 1
          while (
            chain[index + count] === (chain[index] as number) + count &&
            count * perSector < length - done + inSector
          )
            count++
          const wanted = Math.min(length - done, count * perSector - inSector)
          const at = ((chain[index] as number) + 1) * perSector + inSector
          bytes.set(await bytesAt(source, at, wanted), done)
          done += wanted
        }
        return bytes
      },
    }
  }

  async #next(sector: number): Promise<number> {
    const perSector = this.#bytes / 4
    const index = Math.floor(sector / perSector)
    if (index !== this.#tableIndex) {
      const tableSector = this.#table[index]
      if (tableSector === undefined || tableSector >= LAST) return LAST
      this.#tableView = viewOf(
        copyOf(await bytesAt(this.#source, (tableSector + 1) * this.#bytes, this.#bytes)),
      )
      this.#tableIndex = index
    }
    const at = (sector % perSector) * 4
    return at + 4 <= this.#tableView.byteLength ? this.#tableView.getUint32(at, true) : LAST
  }
}
