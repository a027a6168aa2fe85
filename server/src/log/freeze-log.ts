import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'

/** Since when, and why, nothing is sequenced, signed or issued. */
export interface Frozen {
  readonly at: string
  /** A clause without a full stop. Anyone may read it. */
  readonly reason: string
}

export class LogFrozen extends Error {
  override readonly name = 'LogFrozen'
  readonly reason: string

  constructor(reason: string) {
    super(`the log is frozen: ${reason}`)
    this.reason = reason
  }
}

/** Freezes the log for all nodes. The first reason stays. */
export async function freezeLog(db: Db, reason: string, clock: Clock): Promise<void> {
  await db
    .updateTable('log')
    .set({ frozen_at: timestamp(clock.now()), frozen_reason: reason })
    .where('frozen_at', 'is', null)
    .execute()
}

export async function readFrozen(db: Db): Promise<Frozen | undefined> {
  const row = await db.selectFrom('log').select(['frozen_at', 'frozen_reason']).executeTakeFirst()
  return row === undefined ? undefined : frozenOf(row)
}

export function frozenOf(row: {
  readonly frozen_at: string | null
  readonly frozen_reason: string | null
}): Frozen | undefined {
  return row.frozen_at === null ? undefined : { at: row.frozen_at, reason: row.frozen_reason ?? '' }
}

/** The reason if a witness knows more than the database. */
export const behindWitness = (name: string, cosigned: number, size: number): string =>
  `the witness ${name} has cosigned ${cosigned} leaves of this log, but the database has ${size}`

/** How many leaves a witness has cosigned, if that is why the log is frozen. */
export function cosignedLeaves({ reason }: Pick<Frozen, 'reason'>): number {
  return Number(/ has cosigned (\d+) leaves of this log, /.exec(reason)?.[1] ?? 0)
}
