import { vkey } from '@kitseal/kit/internal'
import { sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { LogWitnessesTable } from '../database/log-schema.ts'
import type { Db } from '../database/schema.ts'
import type { WitnessEndpoint } from './witness-policy.ts'

/** The size that a witness cosigned last, as far as this service knows. */
export async function readWitnessSize(db: Db, { witnesses }: WitnessEndpoint): Promise<number> {
  const rows = await db
    .selectFrom('log_witnesses')
    .select('size')
    .where(
      'vkey',
      'in',
      witnesses.map(({ key }) => vkey(key)),
    )
    .execute()
  return Math.max(0, ...rows.map(({ size }) => size))
}

export async function recordCosigned(
  db: Db,
  endpoint: WitnessEndpoint,
  size: number,
  clock: Clock,
): Promise<void> {
  const cosigned_at = timestamp(clock.now())
  await db
    .insertInto('log_witnesses')
    .values(rowsOf(endpoint, { size, cosigned_at, failures: 0, problem: null }))
    .onConflict((conflict) =>
      conflict
        .column('vkey')
        .doUpdateSet((eb) => ({ name: eb.ref('excluded.name'), size, cosigned_at, problem: null })),
    )
    .execute()
}

export async function recordFailure(db: Db, endpoint: WitnessEndpoint, problem: string): Promise<void> {
  await db
    .insertInto('log_witnesses')
    .values(rowsOf(endpoint, { size: 0, cosigned_at: null, failures: 1, problem }))
    .onConflict((conflict) =>
      conflict.column('vkey').doUpdateSet({ failures: sql<number>`log_witnesses.failures + 1`, problem }),
    )
    .execute()
}

function rowsOf(
  { witnesses }: WitnessEndpoint,
  state: Omit<LogWitnessesTable, 'vkey' | 'name'>,
): readonly LogWitnessesTable[] {
  return witnesses.map(({ name, key }) => ({ vkey: vkey(key), name, ...state }))
}
