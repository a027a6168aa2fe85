import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { systemClock } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import { schemaVersion } from '../database/create-schema.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import { freezeLog } from '../log/freeze-log.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjects } from '../objects/open-objects.ts'
import { copyObjects } from './copy-objects.ts'
import type { OnProgress } from './progress.ts'
import { type RecordSource, writeKeyFiles } from './record-source.ts'
import { continueNumbering, firstFilled, insertRows, type Row, withoutTriggers } from './records.ts'
import { DECLARED } from '../tables.ts'
import { TABLES, type Table } from './tables.ts'
import { TransferRefused } from './transfer-error.ts'
import { countKits, type KitProblem, type VerifiedKits, verifyKits } from './verify-kits.ts'
import { parseEntries } from '../kits/kit-entries.ts'

export interface Filled {
  readonly rows: number
  readonly objects: number
  /** Objects that were already missing when the backup was made. */
  readonly lacking: readonly string[]
  /** Only kits with such objects may fail to verify. */
  readonly kits: VerifiedKits
}

/**
 * Fills an empty store, and freezes its log: first the objects, which a second attempt will find, then all records in one transaction that
 * commits only if every kit verifies.
 */
export async function fillStore(
  config: Config,
  source: RecordSource,
  version: number,
  onProgress: OnProgress,
): Promise<Filled> {
  await using target = await openTarget(config)
  const { db, objects } = target
  await checkEmpty(db, objects, source)
  await checkVersion(db, version)
  const copied = await copyObjects(source.objectNames(), source.objects, objects, {
    verify: true,
    onProgress: ({ done, bytes, last }) =>
      onProgress({ step: 'Copying objects', done, bytes, ...source.totals.objects(last) }),
  })
  const bad = copied.bad.filter((sha256) => !source.lacks.has(sha256))
  if (bad.length > 0)
    throw new TransferRefused(
      `The source has missing or damaged objects (${bad.length}): ${bad.slice(0, 10).join(', ')}. Nothing was changed.`,
    )
  const keysInDatabase = config.signer.is === 'database'
  let rows = 0
  const kits = await db.transaction().execute(async (trx) => {
    await withoutTriggers(trx, async () => {
      for (const table of TABLES) {
        for await (const page of source.rows(table)) {
          await insertRows(trx, table, keysInDatabase ? page.map((row) => keyInDatabase(table, row)) : page)
          rows += page.length
          onProgress({ step: 'Writing records', done: rows, ...source.totals.rows })
        }
      }
      if (keysInDatabase) await insertKeys(trx, source.keyFiles)
    })
    await continueNumbering(trx)
    // Whatever the source signed later is not in this store.
    await freezeLog(trx, source.frozenReason, systemClock)
    // Objects in a remote target were read back and hashed, so the same bytes can be read where they are near.
    const nearer = objects.isRemote && !source.objects.isRemote ? source.objects : objects
    const total = await countKits(trx)
    const verified = await verifyKits(trx, nearer, (done) =>
      onProgress({ step: 'Verifying kits', done, total }),
    )
    rejectProblems(await unexplained(trx, verified.problems, source.lacks))
    // Before the commit, because a second attempt is rejected once there are records.
    if (!keysInDatabase) await writeKeyFiles(join(config.dataFolder, 'keys'), source.keyFiles)
    await source.beforeCommit?.()
    return verified
  })
  return { rows, objects: copied.copied + copied.present, lacking: copied.bad, kits }
}

/** Problems of kits that have all their objects. */
async function unexplained(
  db: Kysely<Database>,
  problems: readonly KitProblem[],
  lacks: ReadonlySet<string>,
): Promise<readonly KitProblem[]> {
  const left: KitProblem[] = []
  for (const problem of problems) {
    const { entries } = await db
      .selectFrom('kits')
      .select('entries')
      .where('kit_id', '=', problem.kitId)
      .executeTakeFirstOrThrow()
    if (!parseEntries(entries).some(({ object }) => lacks.has(object))) left.push(problem)
  }
  return left
}

export function rejectProblems(problems: readonly KitProblem[]): void {
  if (problems.length === 0) return
  const shown = problems.slice(0, 5).map(({ kitId, errors }) => `${kitId} (${errors[0] ?? ''})`)
  throw new TransferRefused(
    `Kits do not verify (${problems.length}): ${shown.join(', ')}. Nothing was changed. Run "kitseal admin scrub" to find damaged objects.`,
  )
}

async function openTarget(
  config: Config,
): Promise<AsyncDisposable & { readonly db: Kysely<Database>; readonly objects: ObjectStore }> {
  const objects = openObjects(config.objects)
  await objects.sweepTemp()
  const db = await openDatabase(config)
  return {
    db,
    objects,
    [Symbol.asyncDispose]: async () => {
      await db.destroy()
      await objects.close()
    },
  }
}

/** Without statement timeouts, because all records are inserted in one transaction. */
async function openDatabase(config: Config): Promise<Kysely<Database>> {
  if (config.databaseUrl === undefined) return openSqlite(sqliteFile(config), undefined, { tables: DECLARED })
  const { preparePostgres, postgresWithoutTimeouts } = await import('../database/postgres.ts')
  await preparePostgres(config.databaseUrl, DECLARED)
  return postgresWithoutTimeouts(config.databaseUrl) as unknown as Kysely<Database>
}

async function checkEmpty(db: Kysely<Database>, objects: ObjectStore, source: RecordSource): Promise<void> {
  const filled = await firstFilled(db)
  if (filled !== undefined)
    throw new TransferRefused(`The target database is not empty (${filled} has rows). Nothing was changed.`)
  // Both lists are sorted. Objects that an earlier attempt copied are fine.
  const names = source.objectNames()[Symbol.asyncIterator]()
  let next = await names.next()
  for await (const { sha256 } of objects.list()) {
    while (next.done !== true && next.value < sha256) next = await names.next()
    if (next.done === true || next.value !== sha256)
      throw new TransferRefused(
        `The target object store is not empty: it contains ${sha256}, which is not in the source. Nothing was changed.`,
      )
  }
}

async function checkVersion(db: Kysely<Database>, version: number): Promise<void> {
  const own = await schemaVersion(db)
  if (own === version) return
  throw new TransferRefused(
    own !== undefined && own > version
      ? 'The records were written by an older release. Restore them with that release, then start this one.'
      : `The records were written by a newer release (schema ${version}). Use that release.`,
  )
}

const HAVE_KEYS: ReadonlySet<string> = new Set<keyof Database>(['signing_keys', 'log', 'webhook_keys'])

/** Moves keys from files into the database, because nodes that share a database may not share a folder. */
function keyInDatabase({ name }: Table, row: Row): Row {
  if (!HAVE_KEYS.has(name) || row['provider'] !== 'file') return row
  return { ...row, provider: 'database', reference: row['kid'] ?? null }
}

async function insertKeys(trx: Kysely<Database>, keyFiles: RecordSource['keyFiles']): Promise<void> {
  for (const [name, content] of keyFiles) {
    const reference = name.replace(/\.key$/, '')
    await trx
      .insertInto('private_keys')
      .values({ reference, content })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
