import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { takeLock } from './advisory-lock.ts'
import * as jobsKitsKeys from './migrations/0001-jobs-kits-keys.ts'
import * as workspacesSubmissions from './migrations/0002-workspaces-submissions.ts'
import * as keysInTheDatabase from './migrations/0003-keys-in-the-database.ts'
import * as consoleTables from './migrations/0004-console.ts'
import * as objectMaintenance from './migrations/0005-object-upkeep.ts'
import * as workspaceNames from './migrations/0006-workspace-names.ts'
import * as visibility from './migrations/0007-visibility.ts'
import * as reissues from './migrations/0008-reissues.ts'
import * as zipSha256 from './migrations/0009-zip-sha256.ts'
import * as log from './migrations/0010-log.ts'
import * as proofsInKits from './migrations/0011-proofs-in-kits.ts'
import * as checkpoints from './migrations/0012-checkpoints.ts'
import * as frozenLog from './migrations/0013-frozen-log.ts'
import * as auditChain from './migrations/0014-audit-chain.ts'
import * as compromisedKeys from './migrations/0015-compromised-keys.ts'
import * as custody from './migrations/0016-custody.ts'
import * as findings from './migrations/0017-findings.ts'
import * as logGrowth from './migrations/0018-log-growth.ts'
import * as resumableUploads from './migrations/0019-resumable-uploads.ts'
import * as timeStamps from './migrations/0020-time-stamps.ts'
import * as links from './migrations/0021-links.ts'
import * as shares from './migrations/0022-shares.ts'
import * as requests from './migrations/0023-requests.ts'
import * as removableEvidence from './migrations/0024-removable-evidence.ts'
import * as profiles from './migrations/0025-profiles.ts'
import * as search from './migrations/0027-search.ts'
import * as deliveries from './migrations/0028-deliveries.ts'
import * as webhooks from './migrations/0030-webhooks.ts'
import * as overview from './migrations/0031-overview.ts'
import * as evidenceSettings from './migrations/0032-evidence-settings.ts'
import * as objectLocks from './migrations/0033-object-locks.ts'
import * as keyScopes from './migrations/0034-key-scopes.ts'
import * as federation from './migrations/0035-federation.ts'
import * as fairQueue from './migrations/0036-fair-queue.ts'
import * as issuedAtOnce from './migrations/0038-issued-at-once.ts'
import * as condemnedByTime from './migrations/0039-condemned-by-time.ts'
import * as shareRecipients from './migrations/0040-share-recipients.ts'
import * as growth from './migrations/0041-growth.ts'
import * as uploadMetadata from './migrations/0044-upload-metadata.ts'
import * as fewerPages from './migrations/0045-fewer-pages.ts'

export class NewerStore extends Error {
  override readonly name = 'NewerStore'
}

interface Migration {
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** In order. Released migrations never change: a schema change is a new migration. */
const MIGRATIONS: readonly (readonly [string, Migration])[] = [
  ['0001-jobs-kits-keys', jobsKitsKeys],
  ['0002-workspaces-submissions', workspacesSubmissions],
  ['0003-keys-in-the-database', keysInTheDatabase],
  ['0004-console', consoleTables],
  ['0005-object-upkeep', objectMaintenance],
  ['0006-workspace-names', workspaceNames],
  ['0007-visibility', visibility],
  ['0008-reissues', reissues],
  ['0009-zip-sha256', zipSha256],
  ['0010-log', log],
  ['0011-proofs-in-kits', proofsInKits],
  ['0012-checkpoints', checkpoints],
  ['0013-frozen-log', frozenLog],
  ['0014-audit-chain', auditChain],
  ['0015-compromised-keys', compromisedKeys],
  ['0016-custody', custody],
  ['0017-findings', findings],
  ['0018-log-growth', logGrowth],
  ['0019-resumable-uploads', resumableUploads],
  ['0020-time-stamps', timeStamps],
  ['0021-links', links],
  ['0022-shares', shares],
  ['0023-requests', requests],
  ['0024-removable-evidence', removableEvidence],
  ['0025-profiles', profiles],
  ['0027-search', search],
  ['0028-deliveries', deliveries],
  ['0030-webhooks', webhooks],
  ['0031-overview', overview],
  ['0032-evidence-settings', evidenceSettings],
  ['0033-object-locks', objectLocks],
  ['0034-key-scopes', keyScopes],
  ['0035-federation', federation],
  ['0036-fair-queue', fairQueue],
  ['0038-issued-at-once', issuedAtOnce],
  ['0039-condemned-by-time', condemnedByTime],
  ['0040-share-recipients', shareRecipients],
  ['0041-growth', growth],
  ['0044-upload-metadata', uploadMetadata],
  ['0045-fewer-pages', fewerPages],
]

/**
 * Runs pending migrations in one transaction and one process at a time; returns their names. Throws `NewerStore` if a
 * newer release has migrated the database.
 */
export async function migrate<T>(db: Kysely<T>, dialect: Dialect): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    await takeLock(trx, 'migration')
    await sql`create table if not exists migrations (name text primary key)`.execute(trx)
    const pending = pendingAfter(await appliedMigrations(trx))
    for (const [name, migration] of pending) {
      await migration.up(trx as unknown as Kysely<unknown>, dialect)
      await sql`insert into migrations (name) values (${name})`.execute(trx)
    }
    return pending.map(([name]) => name)
  })
}

/** Names of the migrations that `migrate` would run. Changes nothing. */
export async function pendingMigrations<T>(db: Kysely<T>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  const applied = tables.some(({ name }) => name === 'migrations') ? await appliedMigrations(db) : []
  return pendingAfter(applied).map(([name]) => name)
}

async function appliedMigrations<T>(db: Kysely<T>): Promise<readonly string[]> {
  return (await sql<{ name: string }>`select name from migrations`.execute(db)).rows.map((row) => row.name)
}

function pendingAfter(applied: readonly string[]): typeof MIGRATIONS {
  const newer = applied.find((name) => !MIGRATIONS.some(([known]) => known === name))
  if (newer !== undefined)
    throw new NewerStore(`the database was migrated by a newer release (${newer}); run that release instead`)
  return MIGRATIONS.filter(([name]) => !applied.includes(name))
}
