import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MIGRATIONS } from '../src/database/migrate.ts'
import { migrateStore } from '../src/database/store-schema.ts'
import { newMigratedDatabase, writeMigratedSqlite } from './migrated-database.ts'
import { newDatabase, sharedPostgres } from './postgres-server.ts'
import { testConfig } from './test-service.ts'

const ALL = MIGRATIONS.map(([name]) => name)

const migrate = (settings: Record<string, string>): Promise<readonly string[]> =>
  migrateStore(testConfig(settings))

test('a copied SQLite database needs no migrations, and a new one all of them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-copies-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.deepEqual(await migrate({ KITSEAL_DATA: folder }), ALL)
  await writeMigratedSqlite(join(folder, 'kitseal.sqlite'))
  assert.deepEqual(await migrate({ KITSEAL_DATA: folder }), [])
})

test('a copied PostgreSQL database needs no migrations, and a new one all of them', async () => {
  await using server = await sharedPostgres()
  const [first, second, empty] = await Promise.all([
    newMigratedDatabase(server.url),
    newMigratedDatabase(server.url),
    newDatabase(server.url),
  ])
  assert.notEqual(first, second)
  for (const url of [first, second]) assert.deepEqual(await migrate({ KITSEAL_DATABASE_URL: url }), [])
  assert.deepEqual(await migrate({ KITSEAL_DATABASE_URL: empty }), ALL)
})
