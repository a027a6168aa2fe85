import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseCheckpoint, type SignedCheckpoint, TILE_WIDTH, tilePath, tilesOf } from '@kitseal/kit/internal'
import { makeFolder } from '@kitseal/kit/internal/node'
import { syncFolder } from '@kitseal/kit/internal/node'
import type { TransparencyLog } from './transparency-log.ts'

export interface ExportedLog {
  readonly checkpoint: SignedCheckpoint
  readonly files: number
}

export class ExportRefused extends Error {
  override readonly name = 'ExportRefused'
}

/**
 * Writes checkpoint, tiles and entries to a folder at the paths of C2SP tlog-tiles, which any web server can serve. Adds
 * what is missing to an earlier export. The checkpoint is written last, because it promises the rest.
 */
export async function exportLog(
  log: Pick<TransparencyLog, 'checkpoint' | 'tile'>,
  folder: string,
): Promise<ExportedLog> {
  const note = await log.checkpoint()
  const checkpoint = parseCheckpoint(note)
  await rejectOtherLog(folder, checkpoint)
  let files = 1
  for (const tile of tilesOf(checkpoint.size)) {
    const path = join(folder, tilePath(tile))
    if (existsSync(path)) continue
    const bytes = await log.tile(tile)
    if (bytes === undefined) throw new Error(`the log is damaged: it has no ${tilePath(tile)}`)
    await write(path, bytes)
    files += 1
    // The full tile replaces the partial ones.
    if (tile.width === TILE_WIDTH) await rm(`${path}.p`, { recursive: true, force: true })
  }
  await write(join(folder, 'checkpoint'), note)
  await syncFolder(folder)
  return { checkpoint, files }
}

async function rejectOtherLog(folder: string, { origin, size }: SignedCheckpoint): Promise<void> {
  const path = join(folder, 'checkpoint')
  if (!existsSync(path)) return
  const earlier = readCheckpoint(await readFile(path))
  if (earlier?.origin !== origin)
    throw new ExportRefused(`${folder} contains another log. Choose another folder. Nothing was changed.`)
  if (earlier.size > size)
    throw new ExportRefused(
      `${folder} contains ${earlier.size} leaves of this log, but the database only ${size}. Nothing was changed.`,
    )
}

function readCheckpoint(bytes: Uint8Array): SignedCheckpoint | undefined {
  try {
    return parseCheckpoint(bytes)
  } catch {
    return undefined
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(path))
  const draft = `${path}.${process.pid}.new`
  try {
    await writeFile(draft, bytes, { flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
