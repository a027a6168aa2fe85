import { type Kysely, sql } from 'kysely'

/** Names are sealed in kits, so that owners propose them and the operator approves. Existing names are made acceptable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('proposed_name', 'text').execute()
  const { rows } = await sql<{ workspace_id: string; name: string }>`
    select workspace_id, name from workspaces`.execute(db)
  for (const { workspace_id, name } of rows) {
    const acceptable = acceptableName(name) || workspace_id
    if (acceptable !== name)
      await sql`update workspaces set name = ${acceptable} where workspace_id = ${workspace_id}`.execute(db)
  }
}

const NOT_ALLOWED = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

const acceptableName = (name: string): string =>
  Array.from(name.toWellFormed().replaceAll(NOT_ALLOWED, '').normalize('NFC').trim())
    .slice(0, 200)
    .join('')
    .trim()
