import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { takeLock } from './advisory-lock.ts'
import { FORMER_MIGRATIONS, OlderStore } from './former-migrations.ts'
import * as schema from './migrations/0001-schema.ts'
import * as dropLegacy from './migrations/0002-drop-legacy.ts'
import * as auditSecret from './migrations/0003-audit-secret.ts'
import * as itemAnswers from './migrations/0004-item-answers.ts'
import * as names from './migrations/0005-names.ts'
import * as makers from './migrations/0006-makers.ts'
import * as shares from './migrations/0007-shares.ts'
import * as confirmedFiles from './migrations/0008-confirmed-files.ts'
import * as waiting from './migrations/0009-waiting.ts'
import * as unlimitedCredits from './migrations/0010-unlimited-credits.ts'
import * as storedBytes from './migrations/0011-stored-bytes.ts'
import * as dailyCounts from './migrations/0012-daily-counts.ts'
import * as singleSignOn from './migrations/0013-single-sign-on.ts'
import * as leavers from './migrations/0014-leavers.ts'
import * as provenance from './migrations/0015-provenance.ts'
import * as programs from './migrations/0016-programs.ts'
import * as rooms from './migrations/0017-rooms.ts'
import * as senders from './migrations/0018-senders.ts'
import * as operators from './migrations/0019-operators.ts'
import * as downloadNotices from './migrations/0020-download-notices.ts'
import * as seriesCounts from './migrations/0021-series-counts.ts'
import * as language from './migrations/0022-language.ts'
import * as wordsOfSubmissions from './migrations/0023-words-of-submissions.ts'

export class NewerStore extends Error {
  override readonly name = 'NewerStore'
}

export interface Migration {
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

type Migrations = readonly (readonly [name: string, migration: Migration])[]

/** In order. Released migrations never change: a schema change is a new migration. */
export const MIGRATIONS: Migrations = [
  ['0001-schema', schema],
  ['0002-drop-legacy', dropLegacy],
  ['0003-audit-secret', auditSecret],
  ['0004-item-answers', itemAnswers],
  ['0005-names', names],
  ['0006-makers', makers],
  ['0007-shares', shares],
  ['0008-confirmed-files', confirmedFiles],
  ['0009-waiting', waiting],
  ['0010-unlimited-credits', unlimitedCredits],
  ['0011-stored-bytes', storedBytes],
  ['0012-daily-counts', dailyCounts],
  ['0013-single-sign-on', singleSignOn],
  ['0014-leavers', leavers],
  ['0015-provenance', provenance],
  ['0016-programs', programs],
  ['0017-rooms', rooms],
  ['0018-senders', senders],
  ['0019-operators', operators],
  ['0020-download-notices', downloadNotices],
  ['0021-series-counts', seriesCounts],
  ['0022-language', language],
  ['0023-words-of-submissions', wordsOfSubmissions],
]

/**
 * Runs pending migrations in one transaction and one process at a time; returns their names. Throws `NewerStore` if a
 * newer release has migrated the database, and `OlderStore` if it is too old.
 */
export async function migrate<T>(
  db: Kysely<T>,
  dialect: Dialect,
  migrations: Migrations = MIGRATIONS,
): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    await takeLock(trx, 'migration')
    await sql`create table if not exists migrations (name text primary key)`.execute(trx)
    const recorded = await recordedMigrations(trx)
    const applied = takenOver(recorded)
    const pending = pendingAfter(applied, migrations)
    for (const name of recorded.filter((each) => !applied.includes(each)))
      await sql`delete from migrations where name = ${name}`.execute(trx)
    for (const name of applied.filter((each) => !recorded.includes(each))) await record(trx, name)
    for (const [name, migration] of pending) {
      await migration.up(trx as unknown as Kysely<unknown>, dialect)
      await record(trx, name)
    }
    return pending.map(([name]) => name)
  })
}

/** Names of the migrations that `migrate` would run. Changes nothing. */
export async function pendingMigrations<T>(db: Kysely<T>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  const recorded = tables.some(({ name }) => name === 'migrations') ? await recordedMigrations(db) : []
  return pendingAfter(takenOver(recorded), MIGRATIONS).map(([name]) => name)
}

async function recordedMigrations<T>(db: Kysely<T>): Promise<readonly string[]> {
  return (await sql<{ name: string }>`select name from migrations`.execute(db)).rows.map((row) => row.name)
}

async function record<T>(db: Kysely<T>, name: string): Promise<void> {
  await sql`insert into migrations (name) values (${name})`.execute(db)
}

/** All former migrations together count as `0001-schema`. */
function takenOver(recorded: readonly string[]): readonly string[] {
  const others = recorded.filter((name) => !FORMER_MIGRATIONS.includes(name))
  if (others.length === recorded.length) return recorded
  const missing = FORMER_MIGRATIONS.find((name) => !recorded.includes(name))
  if (missing !== undefined) throw new OlderStore(`lacks the migration ${missing}`)
  return ['0001-schema', ...others]
}

function pendingAfter(applied: readonly string[], migrations: Migrations): Migrations {
  const newer = applied.find((name) => !migrations.some(([known]) => known === name))
  if (newer !== undefined)
    throw new NewerStore(`the database was migrated by a newer release (${newer}); run that release instead`)
  return migrations.filter(([name]) => !applied.includes(name))
}
