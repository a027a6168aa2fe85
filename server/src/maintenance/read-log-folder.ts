import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  LogFormatError,
  parseCheckpoint,
  parseEntryBundle,
  parseLeaf,
  type SignedCheckpoint,
  type Tile,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  verifyNote,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { LogTable } from '../database/log-schema.ts'
import { logNoteKey } from '../log/log-key.ts'
import { TransferRefused } from './database-copy.ts'

/** A copy of a log in a folder: of `kitseal admin log export`, or the mirror of a monitor. */
export type LogFolder = Awaited<ReturnType<typeof openLogFolder>>

export async function openLogFolder(folder: string, log: Pick<LogTable, 'origin' | 'x'>) {
  const bytes = await readOptional(join(folder, 'checkpoint'))
  if (bytes === undefined)
    throw new TransferRefused(`${folder} is not a copy of a log: it has no file "checkpoint".`)
  const checkpoint = await verified(folder, bytes, log)

  async function read(tile: Tile): Promise<Uint8Array | undefined> {
    return (
      (await readOptional(join(folder, tilePath(tile)))) ??
      (tile.width < TILE_WIDTH
        ? await readOptional(join(folder, tilePath({ ...tile, width: TILE_WIDTH })))
        : undefined)
    )
  }

  return {
    /** Signed by the key of the log. */
    checkpoint,
    /** The entries of a bundle, well-formed but not yet compared with the root. */
    async entries(index: number): Promise<readonly Uint8Array[]> {
      const tile = { level: 'entries', index, width: tileWidth('entries', index, checkpoint.size) } as const
      const bundle = await read(tile)
      const path = join(folder, tilePath(tile))
      if (bundle === undefined) throw new TransferRefused(`${path} is missing.`)
      return wellFormed(path, () => {
        const entries = parseEntryBundle(bundle).slice(0, tile.width)
        if (entries.length < tile.width) throw new LogFormatError(`it has ${entries.length} entries`)
        for (const entry of entries) parseLeaf(entry)
        return entries
      })
    },
    /** A full tile of hashes, if the folder has it. */
    fullTile: (level: number, index: number): Promise<Uint8Array | undefined> =>
      readOptional(join(folder, tilePath({ level, index, width: TILE_WIDTH }))),
  }
}

async function verified(
  folder: string,
  bytes: Uint8Array,
  log: Pick<LogTable, 'origin' | 'x'>,
): Promise<SignedCheckpoint> {
  const path = join(folder, 'checkpoint')
  const checkpoint = wellFormed(path, () => parseCheckpoint(bytes))
  const signed = await verifyNote(checkpoint, [logNoteKey(log)], nodeHost)
  if (checkpoint.origin !== log.origin || signed?.length !== 1)
    throw new TransferRefused(`${path} is not signed by the key of the log ${log.origin}.`)
  return checkpoint
}

function wellFormed<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof LogFormatError) throw new TransferRefused(`${path}: ${error.message}.`)
    throw error
  }
}

async function readOptional(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
