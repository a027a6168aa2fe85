import type { Kysely } from 'kysely'

/** Items of a request can be answered with "not applicable". */
export async function up(db: Kysely<unknown>): Promise<void> {
  const items = db.schema.alterTable('request_items')
  await items.addColumn('reason', 'text').execute()
  await items.addColumn('not_applicable', 'text').execute()
  await items.addColumn('answered_round', 'integer').execute()
}
