import { isFound } from '../database/questions.ts'
import {
  checkpointText,
  inclusionProofFromTiles,
  noteBytes,
  type SignedNote,
  TILE_WIDTH,
  tileWidth,
  tlogProofBytes,
  type TlogProof,
  type Tile,
  entryBundle,
  utf8,
  verifyNote,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Clock } from '../runtime/clock.ts'
import type { LogTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { type KeyProvider, openKey } from '../keys/signer.ts'
import { Refusal } from '../refusals.ts'
import { once } from '../runtime/promises.ts'
import type { SignedHead } from './ask-witness.ts'
import {
  type PublishedCheckpoint,
  type PublishingPolicy,
  readNewest,
  readPublished,
  storeCheckpoint,
} from './checkpoint-queries.ts'
import { type Frozen, frozenOf, LogFrozen, readFrozen } from './freeze-log.ts'
import { ensureLog, logNoteKey, readLog } from './log-key.ts'
import { readTilesOnce, tileReader, readLeaves, tileInEdge } from './log-tiles.ts'
import { coseReceipt } from './cose-receipt.ts'
import { markGuard } from './mark-guard.ts'
import type { LogMarks } from './high-water-mark.ts'
import { type LeafIndexes, type Sequenced, sequencer, type Work } from './sequence-leaves.ts'
import type { WitnessPolicy } from './witness-policy.ts'

/** The log of everything that this issuer signed. The database is its only state. */
export type TransparencyLog = ReturnType<typeof transparencyLog>

/** A proof that a leaf is in the log. */
export interface LeafProof {
  /** A tlog-proof. */
  readonly bytes: Uint8Array
  /** Over the text of its checkpoint. */
  readonly timeStamp: Uint8Array | undefined
}

export interface TransparencyLogOptions {
  readonly db: Db
  /** The first creates the key of the log. */
  readonly providers: readonly [KeyProvider, ...KeyProvider[]]
  readonly clock: Clock
  /** Where the high-water mark is kept. */
  readonly marks: LogMarks
  /** Undefined if only the service signs its log. */
  readonly publishing?: PublishingPolicy | undefined
}

export function transparencyLog(options: TransparencyLogOptions) {
  const { db, providers, clock, marks, publishing } = options
  const batches = sequencer(db, clock)
  const guard = markGuard(db, marks, clock)
  const readTile = tileReader(db, (level, index, width) => {
    const edge = batches.edge()
    return edge && tileInEdge(edge, level, index, width)
  })
  const logSigner = once(async () => openKey(providers, await currentLog(), 'the key of the log'))
  let signed: { readonly size: number; readonly root: string; readonly note: SignedNote } | undefined

  async function currentLog(): Promise<Readonly<LogTable>> {
    const log = await readLog(db)
    if (log === undefined) throw new Refusal('store_unavailable', 'The log is being created. Try again.')
    return log
  }

  /** Signs what is committed, once it is recorded in the high-water mark. Ed25519 is deterministic: all nodes get the same signature. Throws LogFrozen. */
  async function sign(log: Readonly<LogTable>): Promise<SignedNote> {
    const { origin, size, root } = log
    if (signed?.size === size && signed.root === root) return signed.note
    await guard.record(log)
    const text = checkpointText({ origin, size, root: Buffer.from(root, 'base64') })
    const { name, keyId } = logNoteKey(log)
    const signature = await (await logSigner()).sign(utf8(text))
    signed = { size, root, note: { text, signatures: [{ name, keyId, signature }] } }
    return signed.note
  }

  async function readIndex(kitId: KitId): Promise<number | null | undefined> {
    const row = await db
      .selectFrom('log_leaves')
      .select('leaf_index')
      .where('kit_id', '=', kitId)
      .executeTakeFirst()
    return row?.leaf_index
  }

  /** The newest state of the log, signed. */
  async function signedHead(): Promise<SignedHead> {
    const log = await currentLog()
    const { size, root, updated_at } = log
    return {
      size,
      root,
      note: await sign(log),
      committedAt: Date.parse(updated_at),
      frozen: frozenOf(log),
      timeStamp: undefined,
    }
  }

  /** The note of this size if checkpoints are not stored. If the log is frozen because it was rolled back, this throws. */
  async function signUnlessStored(log: Readonly<LogTable>): Promise<SignedNote | undefined> {
    if (publishing !== undefined && frozenOf(log) === undefined) return undefined
    const note = await sign(log)
    return publishing === undefined ? note : undefined
  }

  /** The checkpoints that kits may refer to, the best one first. With witnesses, they are stored with their cosignatures. */
  async function published(): Promise<readonly PublishedCheckpoint[]> {
    const log = await currentLog()
    const note = await signUnlessStored(log)
    if (note !== undefined) return [{ size: log.size, note, timeStamp: undefined }]
    return publishing === undefined ? [] : readPublished(db, publishing)
  }

  /** From here on, stored checkpoints are served. One of the present size keeps them from going back. */
  async function startPublishing(witnesses: WitnessPolicy): Promise<void> {
    const head = await signedHead()
    if (((await readNewest(db))?.size ?? -1) >= head.size) return
    await storeCheckpoint(db, head, { cosignatures: [], timeStamp: undefined }, witnesses, clock)
  }

  /** Proves that leaves are in the tree of a checkpoint; undefined for those that are not. */
  function prover(
    checkpoints: readonly PublishedCheckpoint[],
  ): (index: number) => Promise<LeafProof | undefined> {
    const read = readTilesOnce(readTile)
    return async (index) => {
      const best = checkpoints.find(({ size }) => size > index)
      if (best === undefined) return undefined
      const hashes = await inclusionProofFromTiles(
        index,
        best.size,
        read,
        nodeHost.digest,
        batches.edge()?.subtrees,
      )
      const bytes = tlogProofBytes({ index, hashes, checkpoint: best.note })
      return { bytes, timeStamp: best.timeStamp }
    }
  }

  /** The newest and best cosigned proof of a leaf that is in the tree. */
  async function proofAt(index: number): Promise<Uint8Array> {
    const proof = (await prover(await published())(index)) ?? (await prover([await signedHead()])(index))
    if (proof === undefined) throw new Error(`leaf ${index} is not in the tree`)
    return proof.bytes
  }

  /** What keeps the log from growing does not keep `work` from being committed. */
  async function sequence(work?: Work): Promise<Pick<Sequenced, 'count' | 'indexes'> | Error> {
    const signedSize = await guard.signedSize().catch(asError)
    const isKnown = typeof signedSize === 'number'
    const extension = await batches.sequence(isKnown ? signedSize : Number.MAX_SAFE_INTEGER, work)
    if (!isKnown) return signedSize
    if (extension === undefined) return { count: 0, indexes: new Map() }
    if (!(extension instanceof LogFrozen)) guard.extended(extension.from, extension.to)
    return extension
  }

  /** Puts a batch of waiting leaves into the tree; returns how many. Throws LogFrozen. */
  async function sequenceWaiting(): Promise<number> {
    const sequenced = await sequence()
    if (!(sequenced instanceof Error)) return sequenced.count
    // Freezes it, if it is not frozen yet.
    if (sequenced instanceof LogFrozen) await guard.check()
    throw sequenced
  }

  /** The proof in the kit, if the log is frozen. */
  async function frozenProofOf(kitId: KitId, frozen: LogFrozen): Promise<Uint8Array> {
    const kit = await db.selectFrom('kits').select('log_proof').where('kit_id', '=', kitId).executeTakeFirst()
    if (kit === undefined || kit.log_proof === null) throw unavailable(frozen)
    return utf8(kit.log_proof)
  }

  const isWaiting = (): Promise<boolean> =>
    isFound(db.selectFrom('log_leaves').select('leaf_id').where('leaf_index', 'is', null))

  return {
    /** Creates the log if there is none. Its origin cannot be changed later. */
    async ensure(origin: string): Promise<void> {
      await ensureLog(db, providers, origin, clock)
      try {
        if (publishing !== undefined) await startPublishing(publishing.witnesses)
      } catch (error) {
        if (!(error instanceof LogFrozen)) throw error
      }
    },

    /** The public key of the log, as policies name it. */
    vkey: async (): Promise<string> => vkey(logNoteKey(await currentLog())),

    /** The newest published checkpoint. */
    async checkpoint(): Promise<Uint8Array> {
      try {
        const note = await signUnlessStored(await currentLog())
        return noteBytes(note ?? (await readNewest(db))?.note ?? (await signedHead()).note)
      } catch (error) {
        throw error instanceof LogFrozen ? unavailable(error) : error
      }
    },

    /** The content of a tile, or undefined if the log is too small to have it. */
    async tile({ level, index, width }: Tile): Promise<Uint8Array | undefined> {
      const { size } = await currentLog()
      if (tileWidth(level, index, size) < width) return undefined
      if (level !== 'entries') return readTile(level, index, width)
      const leaves = await readLeaves(db, index * TILE_WIDTH, index * TILE_WIDTH + width)
      return entryBundle(leaves.map((leaf) => utf8(leaf)))
    },

    /** The proof that the receipt of a kit is in the log, or undefined if the kit has no leaf. */
    async proofOf(kitId: KitId): Promise<Uint8Array | undefined> {
      try {
        let index = await readIndex(kitId)
        while (index === null) {
          await sequenceWaiting()
          index = await readIndex(kitId)
        }
        if (index === undefined) return undefined
        return await proofAt(index)
      } catch (error) {
        if (!(error instanceof LogFrozen)) throw error
        return frozenProofOf(kitId, error)
      }
    },

    /** The same proof as a COSE receipt (RFC 9942), signed only for a root that the log has signed in a checkpoint. */
    async coseReceipt(proof: TlogProof): Promise<Uint8Array> {
      const log = await currentLog()
      const key = logNoteKey(log)
      if (((await verifyNote(proof.checkpoint, [key], nodeHost)) ?? []).length === 0)
        throw new Error('the log has not signed this checkpoint')
      const opened = await logSigner()
      return coseReceipt(proof, { id: `${key.name}+${key.keyId}`, sign: (message) => opened.sign(message) })
    },

    proofAt,
    signedHead,
    published,
    prover,

    sequence: sequenceWaiting,
    /**
     * Commits changes that add leaves. Puts the leaves into the tree in the same transaction, unless the log is frozen; returns where
     * they are.
     */
    async commit(work: Work): Promise<LeafIndexes> {
      const sequenced = await sequence(work)
      return sequenced instanceof Error ? new Map() : sequenced.indexes
    },
    isWaiting,

    /** Compares the database with what was signed, and freezes the log if it was rolled back. */
    async check(): Promise<Frozen | undefined> {
      try {
        await guard.check()
      } catch (error) {
        if (!(error instanceof LogFrozen)) throw error
      }
      return readFrozen(db)
    },
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

function unavailable(frozen: LogFrozen): Refusal {
  const message = `No checkpoint is signed at the moment: ${frozen.message}.`
  return new Refusal('store_unavailable', message, { cause: frozen, headers: { 'retry-after': '60' } })
}
