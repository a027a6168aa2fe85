import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  fromUtf8,
  LogFormatError,
  type LogLeaf,
  parseCheckpoint,
  parseEntryBundle,
  parseLeaf,
  type Tile,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  utf8,
  verifyNote,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { takeLock } from '../database/dialect.ts'
import type { LogTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { logNoteKey, readLog } from '../log/log-key.ts'
import type { LogHead } from '../log/high-water-mark.ts'
import type { LogAndMarks } from '../log/log-status.ts'
import { extendEdge, readEdge, type TreeEdge } from '../log/log-tiles.ts'
import { tileRow } from '../log/sequence-leaves.ts'
import { computeRoot, contradiction } from '../log/mark-guard.ts'
import { TransferRefused } from './database-copy.ts'
import { endIssuedJobs } from './expire-kits.ts'
import { applyKeyEvents, type RecoveredKeys } from './recover-keys.ts'
import { type Clock, systemClock, timestamp } from '../runtime/clock.ts'
import type { JobId } from '../runtime/identifiers.ts'

export interface RecoveredLog extends RecoveredKeys {
  readonly from: number
  readonly to: number
  /** Kits of this database that wait to be issued, and are in the log already. */
  readonly kits: number
  /** Receipts of kits that are not in this database. */
  readonly unknown_receipts: number
  /** Jobs that ended, because a kit was issued for them that is not in this database. */
  readonly ended_jobs: readonly JobId[]
  /** Receipts whose kits were erased after the backup, in hex. They are back now. */
  readonly erased_receipts: readonly string[]
  /** Heads of audit logs with events that are not in this database. */
  readonly audit_heads: number
}

/**
 * Continues a frozen log with the leaves of a copy, in one transaction. Accepted only if the result has the root of the
 * signed checkpoint of the copy, and nothing that was signed is missing. Adds nothing if the copy has no more. The log stays
 * frozen.
 */
export async function recoverLog(
  { db, marks }: LogAndMarks,
  folder: string,
  clock: Clock = systemClock,
): Promise<RecoveredLog> {
  const known = await readLog(db)
  if (known === undefined) throw new TransferRefused('This database has no log yet.')
  const copy = await openLogFolder(folder, known)
  const signed = await (await marks.of(known)).read()
  return transact(db, async (trx) => {
    await takeLock(trx, 'log')
    const log = (await readLog(trx)) ?? known
    if (log.frozen_at === null)
      throw new TransferRefused('The log is not frozen, so there is nothing to recover. Nothing was changed.')
    const leaves = await addLeaves(trx, log, copy)
    const { root, size } = copy.checkpoint
    const target = { size, root: Buffer.from(root).toString('base64') }
    if ((await computeRoot(trx, size)) !== target.root)
      throw new TransferRefused(
        `${folder} does not continue this log: with its leaves, the root is not the one that was signed. Nothing was changed.`,
      )
    // It has no more than this database, and the same.
    if (size <= log.size) return { ...NOTHING_NEW, from: log.size, to: log.size }
    const problem = await contradiction(trx, target, signed)
    if (problem !== undefined)
      throw new TransferRefused(
        `${folder} is not enough: with its leaves, ${problem}. Find a newer copy. Nothing was changed.`,
      )
    const now = timestamp(clock.now())
    await trx
      .updateTable('log')
      .set({ ...target, updated_at: now })
      .execute()
    const keys = await applyKeyEvents(trx, leaves.added)
    const endedJobs = await endIssuedJobs(trx, leaves.added, now)
    return {
      from: log.size,
      to: size,
      kits: leaves.kits,
      unknown_receipts: leaves.added.filter(({ kind }) => kind === 'receipt').length,
      ended_jobs: endedJobs,
      ...keys,
      erased_receipts: leaves.added.flatMap((leaf) => (leaf.kind === 'erasure' ? [leaf.receipt_sha256] : [])),
      audit_heads: leaves.added.filter(({ kind }) => kind === 'audit').length,
    }
  })
}

const NOTHING_NEW: RecoveredLog = {
  from: 0,
  to: 0,
  kits: 0,
  unknown_receipts: 0,
  ended_jobs: [],
  ended_keys: [],
  unknown_keys: [],
  isAnyActive: true,
  erased_receipts: [],
  audit_heads: 0,
}

/**
 * Leaves that are waiting already get their index, so that nothing is logged twice. Returns those that this database did not have,
 * and how many receipts were waiting in it.
 */
async function addLeaves(trx: Db, log: LogHead, copy: LogFolder) {
  const waiting = await waitingLeaves(trx)
  const added: LogLeaf[] = []
  let edge: TreeEdge = await readEdge(trx, log.size)
  let kits = 0
  let size = log.size
  while (size < copy.checkpoint.size) {
    const bundle = Math.floor(size / TILE_WIDTH)
    const texts = (await copy.entries(bundle)).slice(size % TILE_WIDTH).map((entry) => fromUtf8(entry) ?? '')
    for (const [at, leaf] of texts.entries()) {
      const own = waiting.get(leaf)?.shift()
      const leaf_index = size + at
      if (own === undefined) {
        added.push(parseLeaf(utf8(leaf)))
        await trx.insertInto('log_leaves').values({ leaf, kit_id: null, leaf_index }).execute()
      } else {
        if (own.kit_id !== null) kits += 1
        await trx.updateTable('log_leaves').set({ leaf_index }).where('leaf_id', '=', own.leaf_id).execute()
      }
    }
    const extended = extendEdge(edge, size, texts)
    const tiles = extended.full.map(tileRow)
    if (tiles.length > 0) await trx.insertInto('log_tiles').values(tiles).execute()
    edge = extended.edge
    size += texts.length
  }
  return { added, kits }
}

async function waitingLeaves(trx: Db) {
  const rows = await trx
    .selectFrom('log_leaves')
    .select(['leaf_id', 'leaf', 'kit_id'])
    .where('leaf_index', 'is', null)
    .orderBy('leaf_id')
    .execute()
  const byText = new Map<string, (typeof rows)[number][]>()
  for (const row of rows) byText.set(row.leaf, [...(byText.get(row.leaf) ?? []), row])
  return byText
}

/** A copy of a log in a folder: of `kitseal admin log export`, or the mirror of a monitor. */
type LogFolder = Awaited<ReturnType<typeof openLogFolder>>

async function openLogFolder(folder: string, log: Pick<LogTable, 'origin' | 'x'>) {
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
  }
}

async function verified(folder: string, bytes: Uint8Array, log: Pick<LogTable, 'origin' | 'x'>) {
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
