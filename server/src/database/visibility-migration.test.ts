import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import type { Dialect } from './dialect.ts'
import { up } from './migrations/0007-visibility.ts'
import { postgresDialect } from './postgres.ts'
import type { Database } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

/** Each workspace before the migration: the old value, and its changes in the audit log as [actor, details]. */
const BEFORE: Readonly<Record<string, readonly [number, ...(readonly [string, object])[]]>> = {
  untouched: [1],
  renamed: [1, ['member', { name: 'New', public_kits: true }]],
  deceptive: [1, ['member', { name: '"public_kits":false', plan: 'x' }]],
  switched_off: [0, ['member', { name: 'New', public_kits: false }]],
  off_and_on: [1, ['member', { public_kits: false }], ['member', { name: 'x', public_kits: true }]],
  on_by_operator: [1, ['operator', { public_kits: true }]],
}

onEachDatabase((database: EachDatabase) => {
  test('public_kits that was set explicitly stays, the rest becomes receipts', async () => {
    await using store = await database.create()
    const db = await store.open()
    const dialect = database.name === 'SQLite' ? sqliteDialect : postgresDialect
    await undo(db, dialect)
    for (const [id, [before, ...changes]] of Object.entries(BEFORE)) await insert(db, id, before, changes)
    await up(db as unknown as Kysely<unknown>, dialect)
    const rows = await db.selectFrom('workspaces').select(['workspace_id', 'visibility']).execute()
    assert.deepEqual(Object.fromEntries(rows.map((row) => [row.workspace_id, row.visibility])), {
      untouched: 'receipts',
      renamed: 'receipts',
      deceptive: 'receipts',
      switched_off: 'none',
      off_and_on: 'all',
      on_by_operator: 'all',
    })
    const other = sql`update workspaces set visibility = 'everything'`.execute(db)
    await assert.rejects(other, /the visibility is receipts, all or none/)
  })
})

/** The table as it was before the migration. */
async function undo(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  for (const event of ['insert', 'update'])
    await dialect.dropGuard(db as unknown as Kysely<unknown>, {
      name: `workspaces_visibility_${event}`,
      on: 'workspaces',
    })
  await sql`alter table workspaces drop column visibility`.execute(db)
}

async function insert(
  db: Kysely<Database>,
  id: string,
  before: number,
  changes: readonly (readonly [string, object])[],
): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  await sql`insert into plans (plan, api_access, upload_limit_bytes, unpacked_limit_bytes, unpacked_files,
      unpacked_ratio, rate_per_minute, created_at, updated_at)
    values ('plan', 1, 1, 1, 1, 1, 1, ${at}, ${at}) on conflict do nothing`.execute(db)
  await sql`insert into workspaces (workspace_id, name, plan, public_kits, credits_available, credits_held,
      ledger_entries, audit_events, created_at, updated_at)
    values (${id}, 'Acme', 'plan', ${before}, 0, 0, 0, 0, ${at}, ${at})`.execute(db)
  for (const [index, [actor, details]] of changes.entries())
    await sql`insert into audit_events (workspace_id, sequence, at, actor, action, subject, details)
      values (${id}, ${index + 1}, ${at}, ${actor}, 'workspace.changed', ${id}, ${JSON.stringify(details)})`.execute(
      db,
    )
}
