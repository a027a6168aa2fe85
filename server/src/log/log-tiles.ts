import { TILE_WIDTH, type TileReader } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { readHashes } from './tree-edge.ts'

/** Hashes at the right edge of a tree that are in memory; undefined for others. */
export type PartialTiles = (level: number, index: number, width: number) => Uint8Array | undefined

/** Reads tiles of hashes: full ones as stored, partial ones computed. The caller checks the width. */
export function tileReader(db: Kysely<Database>, partialTiles: PartialTiles = () => undefined): TileReader {
  return async (level, index, width) => {
    const known = partialTiles(level, index, width)
    if (known !== undefined) return known
    const stored = await db
      .selectFrom('log_tiles')
      .select('hashes')
      .where('level', '=', level)
      .where('tile_index', '=', index)
      .executeTakeFirst()
    if (stored !== undefined) return Buffer.from(stored.hashes, 'base64').subarray(0, width * 32)
    if (width === TILE_WIDTH) throw new Error(`the log is damaged: tile ${level}/${index} is missing`)
    return Buffer.concat(await readHashes(db, level, index, width))
  }
}

/** Keeps the tiles that it has read. */
export function readTilesOnce(read: TileReader): TileReader {
  const tiles = new Map<string, ReturnType<TileReader>>()
  return (level, index, width) => {
    const name = `${level}/${index}.${width}`
    const tile = tiles.get(name) ?? read(level, index, width)
    tiles.set(name, tile)
    return tile
  }
}
