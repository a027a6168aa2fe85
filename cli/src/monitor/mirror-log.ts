import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  parseCheckpoint,
  type SignedCheckpoint,
  type Tile,
  TILE_WIDTH,
  tilePath,
  tilesOf,
} from '@kitseal/kit/internal'
import { makeFolder } from '@kitseal/kit/internal/node'
import { orInputError } from '../input-error.ts'
import { replaceFile } from '../write-file.ts'
import type { VerifiedTree } from '../log/verified-tree.ts'

/** A copy of the log at the paths of C2SP tlog-tiles, which any web server can serve. */
export type Mirror = ReturnType<typeof openMirror>

export function openMirror(folder: string) {
  const keep = async (tile: Tile, bytes: Uint8Array): Promise<void> => {
    const path = join(folder, tilePath(tile))
    if (existsSync(path)) return
    await write(path, bytes)
    // The full tile replaces the partial ones.
    if (tile.width === TILE_WIDTH) rmSync(`${path}.p`, { recursive: true, force: true })
  }
  return {
    /** The checkpoint of the copy, if there is one. */
    checkpoint: (): SignedCheckpoint | undefined => {
      const path = join(folder, 'checkpoint')
      return orInputError(`cannot read the checkpoint of the mirror: ${path}`, () =>
        existsSync(path) ? parseCheckpoint(readFileSync(path)) : undefined,
      )
    },
    /** Stores a tile that was verified. */
    keep,
    /** Adds the tiles that are missing, and the checkpoint last, because it promises the others. */
    complete: async (tree: VerifiedTree, note: Uint8Array): Promise<void> => {
      const { size } = tree.head
      for (const tile of tilesOf(size)) {
        if (existsSync(join(folder, tilePath(tile)))) continue
        const { level, index } = tile
        await keep(
          tile,
          level === 'entries' ? (await tree.entries(index)).bytes : await tree.tile(level, index),
        )
      }
      await write(join(folder, 'checkpoint'), note)
    },
  }
}

const write = (path: string, bytes: Uint8Array): Promise<void> =>
  orInputError(`cannot write the mirror: ${path}`, async () => {
    await makeFolder(dirname(path))
    replaceFile(path, bytes)
  })
