import type { Db } from '../database/schema.ts'
import type { Stored, Table } from '../database/table.ts'
import { isSealed, type SecretsAtRest } from '../keys/secrets-at-rest.ts'

/** Encrypts what was stored before there was a passphrase, or with the previous one. Runs at each start; a row that changes meanwhile is left to the next. */
export async function sealStored(db: Db, secrets: SecretsAtRest, tables: readonly Table[]): Promise<void> {
  if (!secrets.isOn) return
  /** What cannot be opened stays as it is. */
  const seal = (stored: string, row: string): string => {
    if (isSealed(stored) && !secrets.hasPrevious) return stored
    const text = secrets.open(stored, row)
    return text === undefined ? stored : secrets.seal(text, row)
  }
  const anyTables = db.$pickTables<never>().$extendTables<Record<string, Record<string, Stored>>>()
  for (const table of tables)
    for (const column of table.named('sealed')) {
      const rows = await anyTables.selectFrom(table.name).selectAll().where(column, 'is not', null).execute()
      for (const row of rows) {
        const stored = String(row[column])
        const sealed = seal(stored, table.place(table.keyOf(row), column))
        if (sealed !== stored)
          await anyTables
            .updateTable(table.name)
            .set({ [column]: sealed })
            .where(table.id, '=', row[table.id] ?? null)
            .where(column, '=', stored)
            .execute()
      }
    }
}
