import { type Kysely, sql } from 'kysely'
import { declaredTables } from '../database/create-schema.ts'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { DECLARED } from '../tables.ts'

/**
 * Writes existing records, to which the triggers on states and changes do not apply. Primary and foreign keys are still
 * checked. Must run in a transaction: a rollback restores the triggers.
 */
export async function withoutTriggers(trx: Kysely<Database>, work: () => Promise<void>): Promise<void> {
  if (isShared(trx)) {
    const tables = declaredTables(DECLARED).map(({ name }) => sql.table(name))
    for (const table of tables) await sql`alter table ${table} disable trigger user`.execute(trx)
    await work()
    for (const table of tables) await sql`alter table ${table} enable trigger user`.execute(trx)
    return
  }
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'trigger' order by name`.execute(trx)
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx)
  await work()
  for (const trigger of rows) await sql.raw(trigger.sql).execute(trx)
}
