import {
  checkpointText,
  inclusionProofFromTiles,
  noteBytes,
  type SignedNote,
  TILE_WIDTH,
  tileWidth,
  tlogProofBytes,
  type Tile,
  entryBundle,
  utf8,
  vkey,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { LogTable } from '../database/log-schema.ts'
import type { Database } from '../database/schema.ts'
import type { KitId } from '../identifiers.ts'
import type { KeyProvider, Signer } from '../keys/signer.ts'
import { Refusal } from '../refusals.ts'
import { ensureLog, logNoteKey, openLogKey, readLog } from './log-key.ts'
import { readTilesOnce, tileReader } from './log-tiles.ts'
import { sequencer } from './sequence-leaves.ts'
import { readLeaves } from './tree-edge.ts'

/** The log of everything that this issuer signed. The database is its only state. */
export interface TransparencyLog {
  /** Creates the log if there is none. Its origin cannot be changed later. */
  ensure(origin: string): Promise<void>
  /** The public key of the log, as policies name it. */
  vkey(): Promise<string>
  /** The newest signed checkpoint. */
  checkpoint(): Promise<Uint8Array>
  /** The content of a tile, or undefined if the log is too small to have it. */
  tile(tile: Tile): Promise<Uint8Array | undefined>
  /** The proof that the receipt of a kit is in the log, or undefined if the kit has no leaf. */
  proofOf(kitId: KitId): Promise<Uint8Array | undefined>
  /** The proofs of leaves that are in the tree, all to the newest checkpoint, which is signed once. */
  proofsAt(indices: readonly number[]): Promise<readonly Uint8Array[]>
  /** Puts a batch of waiting leaves into the tree; returns how many. */
  sequence(): Promise<number>
  isWaiting(): Promise<boolean>
}

export interface TransparencyLogOptions {
  readonly db: Kysely<Database>
  /** The first creates the key of the log. */
  readonly providers: readonly [KeyProvider, ...KeyProvider[]]
  readonly clock: Clock
}

export function transparencyLog({ db, providers, clock }: TransparencyLogOptions): TransparencyLog {
  const { sequence } = sequencer(db, clock)
  const readTile = tileReader(db)
  let signer: Promise<Signer> | undefined
  let signed: { readonly size: number; readonly note: SignedNote } | undefined

  async function currentLog(): Promise<Readonly<LogTable>> {
    const log = await readLog(db)
    if (log === undefined) throw new Refusal('store_unavailable', 'The log is being created. Try again.')
    return log
  }

  /** Only what is committed is signed. Ed25519 is deterministic: all nodes get the same signature. */
  async function sign(log: Readonly<LogTable>): Promise<SignedNote> {
    if (signed?.size === log.size) return signed.note
    signer ??= openLogKey(providers, log).catch((error: unknown) => {
      signer = undefined
      throw error
    })
    const text = checkpointText({ ...log, root: Buffer.from(log.root, 'base64') })
    const { name, keyId } = logNoteKey(log)
    const signature = await (await signer).sign(utf8(text))
    signed = { size: log.size, note: { text, signatures: [{ name, keyId, signature }] } }
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

  async function proofsAt(indices: readonly number[]): Promise<readonly Uint8Array[]> {
    const log = await currentLog()
    const checkpoint = await sign(log)
    const read = readTilesOnce(readTile)
    const prove = async (index: number): Promise<Uint8Array> =>
      tlogProofBytes({
        index,
        hashes: await inclusionProofFromTiles(index, log.size, read, nodeHost.digest),
        checkpoint,
      })
    const proofs: Uint8Array[] = []
    for (const index of indices) proofs.push(await prove(index))
    return proofs
  }

  async function isWaiting(): Promise<boolean> {
    const row = await db
      .selectFrom('log_leaves')
      .select('leaf_id')
      .where('leaf_index', 'is', null)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    ensure: (origin) => ensureLog(db, providers, origin, clock),

    vkey: async () => vkey(logNoteKey(await currentLog())),

    checkpoint: async () => noteBytes(await sign(await currentLog())),

    async tile({ level, index, width }) {
      const { size } = await currentLog()
      if (tileWidth(level, index, size) < width) return undefined
      if (level !== 'entries') return readTile(level, index, width)
      const leaves = await readLeaves(db, index * TILE_WIDTH, index * TILE_WIDTH + width)
      return entryBundle(leaves.map((leaf) => utf8(leaf)))
    },

    async proofOf(kitId) {
      let index = await readIndex(kitId)
      while (index === null) {
        await sequence()
        index = await readIndex(kitId)
      }
      return index === undefined ? undefined : (await proofsAt([index]))[0]
    },

    proofsAt,

    sequence,
    isWaiting,
  }
}
