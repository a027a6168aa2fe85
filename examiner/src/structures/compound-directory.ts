import type { RandomAccess } from '@kitseal/kit'
import { TooMuchWork } from '../budget.ts'
import { bytesAt, memorySource, viewOf } from '../platform/sources.ts'

/** A mailbox of a hundred thousand attachments has a directory of this size. */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
/** Values from here on mark the end of a chain. */
const LAST = 0xfffffffa
const SMALL_STREAM_BYTES = 4096
const SMALL_SECTOR_BYTES = 64
const ENTRY_BYTES = 128
const MAX_DEPTH = 50
/** How often each sector may be in a stream that is opened. */
const MAX_OPENED = 8
const MAX_SECTORS = 2 ** 24

export interface CompoundEntry {
  readonly name: string
  /** The storages that it is in, by their index. Undefined if the tree does not reach it. */
  readonly storage: string | undefined
  readonly sizeBytes: number
  readonly firstSector: number
}

/** The directory of a Compound File ([MS-CFB]), and access to its streams. */
export interface CompoundDirectory {
  readonly entries: readonly CompoundEntry[]
  /** False if the directory is damaged or too large. */
  readonly isComplete: boolean
  /** Random access to a stream, as far as it can be read. */
  open(entry: CompoundEntry): Promise<RandomAccess>
}

export async function readCompoundDirectory(source: RandomAccess): Promise<CompoundDirectory> {
  const header = viewOf(await bytesAt(source, 0, 512))
  const shift = header.byteLength < 512 ? 0 : header.getUint16(30, true)
  if (shift !== 9 && shift !== 12)
    return { entries: [], isComplete: false, open: async () => memorySource(new Uint8Array(0)) }
  const sectorBytes = 2 ** shift
  const next = await readTable(source, header, sectorBytes)
  let sectorsLeft = MAX_OPENED * next.length
  const streamAt = (first: number, limitBytes: number): RandomAccess => {
    const count = Math.ceil(limitBytes / sectorBytes)
    const chain = chainFrom(first, next, count).filter(
      (sector) => (sector + 1) * sectorBytes < source.sizeBytes,
    )
    sectorsLeft -= chain.length
    if (sectorsLeft < 0) throw new TooMuchWork()
    return streamOf(source, chain, sectorBytes, limitBytes)
  }
  const whole = async (first: number): Promise<Uint8Array> => {
    const stream = streamAt(first, MAX_DIRECTORY_BYTES)
    return bytesAt(stream, 0, stream.sizeBytes)
  }
  const first = header.getUint32(48, true)
  const directory = await whole(first)
  const raw = rawEntries(directory)
  const ends = chainFrom(first, next, MAX_DIRECTORY_BYTES / sectorBytes)
  let small: Promise<readonly [content: Uint8Array, next: DataView]> | undefined
  return {
    entries: withStorages(raw),
    isComplete: first >= LAST || (ends.length > 0 && (next[ends.at(-1) as number] ?? 0) >= LAST),
    async open({ firstSector, sizeBytes }) {
      if (sizeBytes >= SMALL_STREAM_BYTES || raw[0] === undefined) return streamAt(firstSector, sizeBytes)
      small ??= Promise.all([
        whole(raw[0].firstSector),
        whole(header.getUint32(60, true)).then((bytes) => viewOf(bytes)),
      ])
      return memorySource(smallStream(await small, firstSector, sizeBytes))
    },
  }
}

/** For each sector, the one that follows. The sectors of this table are listed in the header and in a chain of their own. */
async function readTable(source: RandomAccess, header: DataView, sectorBytes: number): Promise<Uint32Array> {
  const next = new Uint32Array(Math.min(MAX_SECTORS, Math.ceil(source.sizeBytes / sectorBytes))).fill(LAST)
  const perSector = sectorBytes / 4
  const places = Array.from({ length: 109 }, (_, index) => header.getUint32(76 + index * 4, true))
  const sectorAt = async (sector: number): Promise<DataView> =>
    viewOf(await bytesAt(source, (sector + 1) * sectorBytes, sectorBytes))
  for (let sector = header.getUint32(68, true); sector < LAST && places.length * perSector < next.length;) {
    const view = await sectorAt(sector)
    if (view.byteLength < sectorBytes) break
    for (let at = 0; at < perSector - 1; at++) places.push(view.getUint32(at * 4, true))
    sector = view.getUint32(sectorBytes - 4, true)
  }
  for (let index = 0; index * perSector < next.length && index < places.length; index++) {
    const sector = places[index] as number
    const view = sector >= LAST ? viewOf(new Uint8Array(0)) : await sectorAt(sector)
    for (let at = 0; at + 4 <= view.byteLength; at += 4)
      next[index * perSector + at / 4] = view.getUint32(at, true)
  }
  return next
}

function chainFrom(first: number, next: Uint32Array, maxSectors: number): readonly number[] {
  const chain: number[] = []
  const seen = new Set<number>()
  for (let sector = first; sector < next.length && !seen.has(sector) && chain.length < maxSectors;) {
    seen.add(sector)
    chain.push(sector)
    sector = next[sector] as number
  }
  return chain
}

function streamOf(
  source: RandomAccess,
  chain: readonly number[],
  sectorBytes: number,
  limitBytes: number,
): RandomAccess {
  return {
    sizeBytes: Math.min(limitBytes, chain.length * sectorBytes),
    async read(offset, length) {
      const bytes = new Uint8Array(length)
      for (let done = 0; done < length;) {
        const index = Math.floor((offset + done) / sectorBytes)
        const inSector = (offset + done) % sectorBytes
        // Neighbours are read at once.
        let count = 1
        while (
          chain[index + count] === (chain[index] as number) + count &&
          count * sectorBytes < length - done + inSector
        )
          count++
        const wanted = Math.min(length - done, count * sectorBytes - inSector)
        bytes.set(
          await bytesAt(source, ((chain[index] as number) + 1) * sectorBytes + inSector, wanted),
          done,
        )
        done += wanted
      }
      return bytes
    },
  }
}

/** Streams below 4,096 bytes are in sectors of 64 bytes inside one large stream. */
function smallStream(
  [content, next]: readonly [Uint8Array, DataView],
  first: number,
  wanted: number,
): Uint8Array {
  const stream = new Uint8Array(Math.ceil(wanted / SMALL_SECTOR_BYTES) * SMALL_SECTOR_BYTES)
  let sector = first
  for (let at = 0; at < wanted && sector < LAST; at += SMALL_SECTOR_BYTES) {
    stream.set(content.subarray(sector * SMALL_SECTOR_BYTES, (sector + 1) * SMALL_SECTOR_BYTES), at)
    sector = sector * 4 + 4 <= next.byteLength ? next.getUint32(sector * 4, true) : LAST
  }
  return stream.subarray(0, wanted)
}

interface RawEntry extends CompoundEntry {
  /** Its neighbours in the tree, and what is in it. */
  readonly links: readonly [left: number, right: number, child: number]
}

function rawEntries(directory: Uint8Array): readonly RawEntry[] {
  const utf16 = new TextDecoder('utf-16le')
  const entries: RawEntry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const view = viewOf(directory.subarray(at, at + ENTRY_BYTES))
    const nameBytes = Math.min(64, view.getUint16(64, true)) - 2
    entries.push({
      name: nameBytes < 0 ? '' : utf16.decode(directory.subarray(at, at + nameBytes)),
      storage: undefined,
      links: [view.getUint32(68, true), view.getUint32(72, true), view.getUint32(76, true)],
      firstSector: view.getUint32(116, true),
      sizeBytes: view.getUint32(120, true),
    })
  }
  return entries
}

/** Follows the tree, and lists what it does not reach as well: programs repair damaged trees. */
function withStorages(raw: readonly RawEntry[]): readonly CompoundEntry[] {
  const storageOf = new Map<number, string>()
  const open: [index: number, storage: string, depth: number][] = [[raw[0]?.links[2] ?? LAST, '', 0]]
  for (let found = open.pop(); found !== undefined; found = open.pop()) {
    const [index, storage, depth] = found
    const entry = raw[index]
    if (entry === undefined || storageOf.has(index)) continue
    storageOf.set(index, storage)
    const [left, right, child] = entry.links
    open.push([left, storage, depth], [right, storage, depth])
    if (depth < MAX_DEPTH) open.push([child, `${storage}/${index}`, depth + 1])
  }
  return raw.flatMap(({ links: _links, ...entry }, index) =>
    entry.name === '' || index === 0 ? [] : [{ ...entry, storage: storageOf.get(index) }],
  )
}
