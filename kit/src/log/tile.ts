import { malformed, parseDecimal } from './note.ts'

/** The hashes in a full tile. */
export const TILE_WIDTH = 256

/** A tile of hashes, or the entries under a tile of level 0 (C2SP tlog-tiles). */
export interface Tile {
  readonly level: number | 'entries'
  readonly index: number
  /** How many hashes or entries it has: 1 to 256. */
  readonly width: number
}

/** How many hashes a tile has in a log of this size: 256, fewer in the last tile of a level, or 0. */
export function tileWidth(level: number | 'entries', index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
}

/** The path of a tile below the address of its log. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.../g) ?? []
  const last = groups.pop()
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`
  return `tile/${level}/${groups.map((group) => `x${group}/`).join('')}${last}${partial}`
}

/** Parses the path of a tile. Throws LogFormatError; each tile has one path. */
export function parseTilePath(path: string): Tile {
  const [, at = '', groups = '', partial] =
    /^tile\/([0-9]{1,2}|entries)\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/.exec(path) ?? []
  const tile = {
    level: at === 'entries' ? at : parseDecimal(at, 'the level of the tile'),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: partial === undefined ? TILE_WIDTH : parseDecimal(partial, 'the width of the tile'),
  } as const
  if (tile.width < 1 || tile.width > TILE_WIDTH || tilePath(tile) !== path)
    malformed('this is not the path of a tile')
  if (tile.level !== 'entries' && tile.level > 63) malformed('a tile has a level from 0 to 63')
  return Number.isSafeInteger(tile.index) ? tile : malformed('the index of the tile is too large')
}

/** The content of an entry bundle: each entry after its length in two bytes. */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, { length }) => sum + 2 + length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > 0xffff) malformed('an entry is longer than 65,535 bytes')
    bytes.set([entry.length >> 8, entry.length & 0xff], at)
    bytes.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bytes
}

/** Parses an entry bundle. Throws LogFormatError. */
export function parseEntryBundle(bytes: Uint8Array): readonly Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 2 + (bytes[at]! << 8) + (bytes[at + 1] ?? 0)
    if (at + 2 > bytes.length || end > bytes.length) malformed('the entry bundle ends inside an entry')
    entries.push(new Uint8Array(bytes.subarray(at + 2, end)))
    at = end
  }
  if (entries.length < 1 || entries.length > TILE_WIDTH) malformed('an entry bundle has 1 to 256 entries')
  return entries
}
