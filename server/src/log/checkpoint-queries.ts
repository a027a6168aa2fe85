import {
  fromUtf8,
  isQuorumMet,
  noteBytes,
  type NoteSignature,
  parseNote,
  signaturesBy,
  type SignedNote,
  utf8,
} from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { takeLock } from '../database/dialect.ts'
import type { LogCheckpointsTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { SignedHead } from './ask-witness.ts'
import type { WitnessPolicy } from './witness-policy.ts'

/** A checkpoint that kits may refer to. */
export interface PublishedCheckpoint {
  readonly size: number
  readonly note: SignedNote
  /** The response of a time-stamp authority over the text of the note. */
  readonly timeStamp: Uint8Array | undefined
}

/** What a checkpoint needs before kits refer to it. */
export interface PublishingPolicy {
  readonly witnesses: WitnessPolicy
  readonly isTimeStamped: boolean
  /** Whether kits wait for it, or are issued with what there is. */
  readonly isRequired: boolean
}

/** The stored checkpoints that kits may refer to, the best one first. */
export async function readPublished(
  db: Db,
  { witnesses, isTimeStamped, isRequired }: PublishingPolicy,
): Promise<readonly PublishedCheckpoint[]> {
  const complete = newestRow(db)
    .where('quorum_met', '=', 1)
    .$if(isTimeStamped, (query) => query.where('time_stamp', 'is not', null))
  const [cosigned] = parseRows(await complete.execute())
  // The policy may have changed since.
  const best = cosigned !== undefined && meetsQuorum(cosigned.note, witnesses) ? [cosigned] : []
  if (isRequired) return best
  const last = await readNewest(db)
  return last === undefined || last.size === best[0]?.size ? best : [...best, last]
}

function parseRows(
  rows: readonly Pick<LogCheckpointsTable, 'size' | 'note' | 'time_stamp'>[],
): PublishedCheckpoint[] {
  return rows.map(({ size, note, time_stamp }) => ({
    size,
    note: parseNote(utf8(note)),
    timeStamp: time_stamp === null ? undefined : Buffer.from(time_stamp, 'base64'),
  }))
}

/** The checkpoint of this size with its cosignatures and its time-stamp, if it is stored. */
export async function readStored(db: Db, size: number): Promise<PublishedCheckpoint | undefined> {
  const rows = db
    .selectFrom('log_checkpoints')
    .select(['size', 'note', 'time_stamp'])
    .where('size', '=', size)
  return parseRows(await rows.execute())[0]
}

/** The newest stored checkpoint, with whatever it has. */
export async function readNewest(db: Db): Promise<PublishedCheckpoint | undefined> {
  return parseRows(await newestRow(db).execute())[0]
}

function newestRow(db: Db) {
  return db
    .selectFrom('log_checkpoints')
    .select(['size', 'note', 'time_stamp'])
    .orderBy('size', 'desc')
    .limit(1)
}

/** Whether enough witnesses are named. Only verified cosignatures are stored. */
export function meetsQuorum(note: SignedNote, { witnesses, quorum }: WitnessPolicy): boolean {
  const cosigned = witnesses.filter(({ key }) => signaturesBy(note, key).length > 0)
  return isQuorumMet(quorum, new Set(cosigned.map(({ name }) => name)))
}

/** Stores a checkpoint, or adds to it. Of each key the first cosignature is kept, and of time-stamps the first one. */
export async function storeCheckpoint(
  db: Db,
  { size, root, note }: SignedHead,
  added: {
    readonly cosignatures: readonly NoteSignature[]
    readonly timeStamp: Uint8Array | undefined
  },
  policy: WitnessPolicy,
  clock: Clock,
): Promise<void> {
  await transact(db, async (trx) => {
    await takeLock(trx, 'log')
    const row = await trx
      .selectFrom('log_checkpoints')
      .select(['note', 'time_stamp'])
      .where('size', '=', size)
      .executeTakeFirst()
    const before = row === undefined ? note : parseNote(utf8(row.note))
    const merged = { text: before.text, signatures: withNew(before.signatures, added.cosignatures) }
    const stamp = added.timeStamp === undefined ? null : Buffer.from(added.timeStamp).toString('base64')
    const time_stamp = row?.time_stamp ?? stamp
    const isNew = merged.signatures.length > before.signatures.length || time_stamp !== row?.time_stamp
    if (row !== undefined && !isNew) return
    const text = fromUtf8(noteBytes(merged)) ?? ''
    const quorum_met = meetsQuorum(merged, policy) ? 1 : 0
    // Sets the root too, so that the database rejects another one.
    await trx
      .insertInto('log_checkpoints')
      .values({ size, root, note: text, quorum_met, time_stamp, created_at: timestamp(clock.now()) })
      .onConflict((conflict) =>
        conflict.column('size').doUpdateSet({ root, note: text, quorum_met, time_stamp }),
      )
      .execute()
  })
}

function withNew(known: readonly NoteSignature[], added: readonly NoteSignature[]): readonly NoteSignature[] {
  const isNew = ({ name, keyId }: NoteSignature): boolean =>
    !known.some((other) => other.name === name && other.keyId === keyId)
  return [...known, ...added.filter(isNew).map(({ name, keyId, signature }) => ({ name, keyId, signature }))]
}
