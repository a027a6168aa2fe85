import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjects } from '../objects/open-objects.ts'
import { copyObjects } from './copy-objects.ts'
import { type RecordSource, writeKeyFiles } from './record-source.ts'
import { firstFilled, insertRows, migrationsOf, type Row, withoutRules } from './records.ts'
import { TABLES, type Table } from './tables.ts'
import { TransferRefused } from './transfer-refused.ts'
import { type KitProblem, type VerifiedKits, verifyKits } from './verify-kits.ts'

export interface Filled {
  readonly rows: number
  readonly objects: number
  /** Objects that the source is known to lack, and that are lacking still. */
  readonly lacking: readonly string[]
  /** Its problems are kits that those objects belong to; any other is refused. */
  readonly kits: VerifiedKits
}

type Tell = (text: string) => void

/**
 * Fills an empty store: the objects first, which a second try finds there, then all records in one transaction that
 * ends only when every kit verifies where it lies now.
 */
export async function fillStore(
  config: Config,
  source: RecordSource,
  migrations: readonly string[],
  tell: Tell,
): Promise<Filled> {
  await using target = await openTarget(config)
  const { db, objects } = target
  await refuseFilled(db, objects, source)
  await refuseOtherForm(db, migrations)
  const copied = await copyObjects(source.objectNames(), source.objects, objects, (done) =>
    tell(`objects ${done}`),
  )
  const bad = copied.bad.filter((sha256) => !source.lacks.has(sha256))
  if (bad.length > 0)
    throw new TransferRefused(
      `Objects are missing or damaged where they come from (${bad.length}): ${bad.slice(0, 10).join(', ')}. Nothing was changed.`,
    )
  const keysMove = config.signer.is === 'database'
  let rows = 0
  const kits = await db.transaction().execute(async (trx) => {
    await withoutRules(trx, async () => {
      for (const table of TABLES) {
        tell(`records: ${table.name}`)
        for await (const page of source.rows(table)) {
          await insertRows(trx, table, keysMove ? page.map((row) => keyInDatabase(table, row)) : page)
          rows += page.length
        }
      }
      if (keysMove) await insertKeys(trx, source.keyFiles)
    })
    const verified = await verifyKits(trx, objects, (count) => tell(`kits verified ${count}`))
    refuseProblems(await unexplained(trx, verified.problems, source.lacks))
    // Records that are there refuse a second try: their keys are there before them.
    if (!keysMove) await writeKeyFiles(join(config.dataFolder, 'keys'), source.keyFiles)
    return verified
  })
  return { rows, objects: copied.copied + copied.present, lacking: copied.bad, kits }
}

/** What is wrong with kits that lack nothing. */
async function unexplained(
  db: Kysely<Database>,
  problems: readonly KitProblem[],
  lacks: ReadonlySet<string>,
): Promise<readonly KitProblem[]> {
  const left: KitProblem[] = []
  for (const problem of problems) {
    const objects = await db
      .selectFrom('kit_objects')
      .select('sha256')
      .where('kit_id', '=', problem.kitId)
      .execute()
    if (!objects.some(({ sha256 }) => lacks.has(sha256))) left.push(problem)
  }
  return left
}

export function refuseProblems(problems: readonly KitProblem[]): void {
  if (problems.length === 0) return
  const shown = problems.slice(0, 5).map(({ kitId, errors }) => `${kitId} (${errors[0] ?? ''})`)
  throw new TransferRefused(
    `Kits do not verify (${problems.length}): ${shown.join(', ')}. Nothing was changed. "kitseal admin scrub" names what is damaged.`,
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

/** One connection that waits as long as it takes: all records go in with one transaction. */
async function openDatabase(config: Config): Promise<Kysely<Database>> {
  if (config.databaseUrl === undefined) return openSqlite(sqliteFile(config))
  const { migratePostgres, postgresWithoutTimeouts } = await import('../database/postgres.ts')
  await migratePostgres(config.databaseUrl)
  return postgresWithoutTimeouts(config.databaseUrl) as unknown as Kysely<Database>
}

async function refuseFilled(db: Kysely<Database>, objects: ObjectStore, source: RecordSource): Promise<void> {
  const filled = await firstFilled(db)
  if (filled !== undefined)
    throw new TransferRefused(
      `The database is not empty (${filled} has rows): only an empty one is filled. Nothing was changed.`,
    )
  // Both come in the order of the names. What an earlier try has copied is welcome.
  const names = source.objectNames()[Symbol.asyncIterator]()
  let next = await names.next()
  for await (const { sha256 } of objects.list()) {
    while (next.done !== true && next.value < sha256) next = await names.next()
    if (next.done === true || next.value !== sha256)
      throw new TransferRefused(
        `The object store is not empty: it holds ${sha256}, which is none of these objects. Nothing was changed.`,
      )
  }
}

async function refuseOtherForm(db: Kysely<Database>, migrations: readonly string[]): Promise<void> {
  const own = await migrationsOf(db)
  if (own.join() === migrations.join()) return
  const newer = migrations.find((name) => !own.includes(name))
  throw new TransferRefused(
    newer === undefined
      ? 'The records are in the form of an older release. Restore them with that release, then start this one on them.'
      : `The records are in the form of a newer release (they have ${newer}). Use that release.`,
  )
}

/** Nodes that share a database share no folder: a key that was a file becomes a row. */
function keyInDatabase({ name }: Table, row: Row): Row {
  if (name !== 'signing_keys' || row['provider'] !== 'file') return row
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
