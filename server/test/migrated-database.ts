// Databases with the tables of the service, copied from one that was migrated once.
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migratePostgres } from '../src/database/postgres.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { newDatabase } from './postgres-server.ts'

let migratedFile: Promise<Uint8Array> | undefined

/** Writes the file of an empty database that needs no migrations. */
export async function writeMigratedSqlite(file: string): Promise<void> {
  migratedFile ??= migrateOnce()
  writeFileSync(file, await migratedFile, { mode: 0o600 })
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

/** Processes share the file: the migrations take a quarter of a second. */
async function migrateOnce(): Promise<Uint8Array> {
  const shared = join(CACHE, `kitseal-migrated-${hashOfMigrations()}.sqlite`)
  if (existsSync(shared)) return readFileSync(shared)
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'kitseal-migrated-'))
  try {
    const file = join(folder, 'kitseal.sqlite')
    await (await openSqlite(file)).destroy()
    renameSync(file, shared)
    return readFileSync(shared)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const templates = new Map<string, Promise<string>>()

/** Creates an empty database that needs no migrations, and returns its URL. */
export async function newMigratedDatabase(serverUrl: string): Promise<string> {
  const template = templates.get(serverUrl) ?? templateOn(serverUrl)
  templates.set(serverUrl, template)
  return newDatabase(serverUrl, await template)
}

/** A number that only these tests lock. */
const LOCK = 7_305_114

/** Processes share the template of a server. */
async function templateOn(serverUrl: string): Promise<string> {
  const name = `migrated_${hashOfMigrations()}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const url = await newDatabase(serverUrl)
      await migratePostgres(url)
      await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`)
    }
    return name
  } finally {
    await client.end()
  }
}

/** What is shared may be older than the last change of a migration. */
function hashOfMigrations(): string {
  const folder = join(import.meta.dirname, '../src/database')
  const hash = createHash('sha256')
  for (const file of globSync('**/*.ts', { cwd: folder }).toSorted())
    hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}
