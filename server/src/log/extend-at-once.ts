// docs/decisions/0341
import { setTimeout as sleep } from 'node:timers/promises'
import { inclusionProofFromTiles, type SignedNote, type TileReader, tlogProofBytes } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import { type Change, insertion } from '../database/changes.ts'
import type { LogLeavesTable } from '../database/log-schema.ts'
import type { Database } from '../database/schema.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { LogHead } from './log-mark.ts'
import { type MarkGuard, Overtaken } from './mark-guard.ts'
import type { Condition, KitLeaf, Sequencer } from './sequence-leaves.ts'
import { type Extension, extendedTiles, extendTree } from './tree-extension.ts'

/** A larger log with its checkpoint, which nobody sees before it is committed. */
export interface SignedExtension {
  /** One tlog-proof for each leaf. */
  readonly proofs: readonly Uint8Array[]
  /** Comes before all others. Affects no row unless the condition holds, or if another process has changed the log: then throw Overtaken. */
  growth(condition: Condition): Change
  /** Comes after the kits. */
  readonly leaves: Change
  /** The rest, in the same transaction. */
  storeRest(trx: Kysely<Database>): Promise<void>
}

export interface AtOnceContext {
  readonly guard: MarkGuard
  readonly batches: Sequencer
  readonly readTile: TileReader
  /** Signs a head that is announced in the mark. */
  readonly sign: (head: LogHead) => Promise<SignedNote>
  /** The head is committed and recorded. */
  readonly published: (head: LogHead, note: SignedNote) => void
  /** Puts waiting leaves into the tree. */
  readonly sequence: () => Promise<unknown>
}

const MAX_ATTEMPTS = 10
const PAUSE_MS = 5

/**
 * Extends the log and commits in one transaction: `commit` gets the proofs and runs it. The head is announced in the mark
 * before it is signed, and recorded there after the commit. Throws Overtaken if other processes extend the log all the
 * time, and LogFrozen.
 */
export function extendingAtOnce(ctx: AtOnceContext) {
  const { guard, batches } = ctx
  let unrecorded: { readonly from: LogHead; readonly to: LogHead; readonly note: SignedNote } | undefined

  async function attempt<T>(
    leaves: readonly KitLeaf[],
    commit: (extension: SignedExtension) => Promise<T>,
  ): Promise<T> {
    const head = await batches.head()
    if (head === undefined) throw new Overtaken('there is no log yet')
    const extension = await extendTree(
      head,
      leaves.map(({ leaf }) => leaf),
    )
    const { from, to } = extension
    await guard.announce(from, to)
    try {
      const note = await ctx.sign(to)
      const proofs = await prove(extension, note, ctx.readTile)
      const result = await commit({
        proofs,
        growth: (condition) => batches.growth(extension, condition),
        leaves: insertion('log_leaves', leafRows(from.size, leaves)),
        storeRest: (trx) => batches.storeRest(trx, extension),
      })
      batches.moveTo(to)
      unrecorded = { from, to, note }
      return result
    } catch (error) {
      batches.moveTo(undefined)
      // If the database did not answer, it may have committed.
      if (!isUnavailable(error)) await guard.withdraw(to).catch(() => {})
      throw error
    }
  }

  return {
    async extendWith<T>(
      leaves: readonly KitLeaf[],
      commit: (extension: SignedExtension) => Promise<T>,
    ): Promise<T> {
      await this.record()
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(leaves, commit)
        } catch (error) {
          if (!(error instanceof Overtaken) || attempts === MAX_ATTEMPTS) throw error
          batches.moveTo(undefined)
          await sleep(PAUSE_MS * Math.random() * attempts)
          await ctx.sequence()
        }
      }
    },

    /** Records the last head that was committed, unless it is recorded already. */
    async record(): Promise<void> {
      if (unrecorded === undefined) return
      const { from, to, note } = unrecorded
      await guard.confirm(from, to)
      ctx.published(to, note)
      unrecorded = undefined
    },
  }
}

/** The database numbers them. */
type LeafRow = Omit<LogLeavesTable, 'leaf_id'> & { readonly leaf_id: never }

const leafRows = (size: number, leaves: readonly KitLeaf[]): readonly LeafRow[] =>
  leaves.map(({ leaf, kitId }, at) => ({ leaf, kit_id: kitId, leaf_index: size + at }) as LeafRow)

async function prove(
  extension: Extension,
  checkpoint: SignedNote,
  readTile: TileReader,
): Promise<readonly Uint8Array[]> {
  const { from, to } = extension
  const read = extendedTiles(extension, readTile)
  const proofs: Uint8Array[] = []
  for (let index = from.size; index < to.size; index += 1) {
    const hashes = await inclusionProofFromTiles(index, to.size, read, nodeHost.digest, to.subtrees)
    proofs.push(tlogProofBytes({ index, hashes, checkpoint }))
  }
  return proofs
}
