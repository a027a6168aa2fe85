import { type Kysely, sql } from 'kysely'
import { isShared } from './dialect.ts'

/** What only one process at a time may do; the numbers are shared by every release. */
const TURNS = { migration: 1, signingKeys: 2, firstWorkspace: 3 } as const

/** 'kits' in ASCII: keeps the numbers apart from those of other programs in the same database. */
const FAMILY = 0x6b697473

/** Waits for its turn, and has it until the transaction ends. In the embedded store a transaction is a turn already. */
export async function exclusively<T>(trx: Kysely<T>, turn: keyof typeof TURNS): Promise<void> {
  if (isShared(trx)) await sql`select pg_advisory_xact_lock(${FAMILY}::int, ${TURNS[turn]}::int)`.execute(trx)
}
