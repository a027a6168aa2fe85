import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type SelectModifierNode,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Dialect } from './dialect.ts'
import { migrate } from './migrate.ts'
import { useReader } from './prepared.ts'
import type { Database } from './schema.ts'
import { sqliteReader } from './sqlite-reader.ts'

/** Where the embedded store of a service lies. */
export function sqliteFile({ dataFolder }: { readonly dataFolder: string }): string {
  return join(dataFolder, 'kitseal.sqlite')
}

/**
 * The embedded store: one file in WAL mode, every commit synced before it is acknowledged. Several processes may
 * open one file: each waits its turn to write. Prepared reads have a connection of their own: they see what is
 * committed, and wait for no transaction.
 */
export async function openSqlite(file: string, watch?: (text: string) => void): Promise<Kysely<Database>> {
  await makeFolder(dirname(file))
  const writer = connectWriter(file, watch)
  const reader = sqliteReader(file, BUSY_TIMEOUT_MS, watch)
  const close = (): void => {
    reader.close()
    writer.close()
  }
  const db = new Kysely<Database>({
    dialect: new EmbeddedDialect({ database: { prepare: preparedOnce(writer), close } }, writer),
  })
  useReader(db, reader.prepare)
  try {
    await migrate(db, sqliteDialect)
    return db
  } catch (error) {
    close()
    throw error
  }
}

const BUSY_TIMEOUT_MS = 10_000

function connectWriter(file: string, watch: ((text: string) => void) | undefined): BetterSqlite3.Database {
  const writer = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS, ...watched(watch) })
  chmodSync(file, 0o600)
  writer.pragma('journal_mode = WAL')
  writer.pragma('synchronous = FULL')
  writer.pragma('foreign_keys = ON')
  writer.pragma('cache_size = -32768')
  return writer
}

/** Where nobody watches, a statement costs no call. */
function watched(watch: ((text: string) => void) | undefined): BetterSqlite3.Options {
  return watch === undefined ? {} : { verbose: (text) => watch(String(text)) }
}

/** A deferred transaction that reads first and writes later can fail half-way; one that asks to write at once waits. */
class EmbeddedDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDriver>[0]
  readonly #writer: BetterSqlite3.Database

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], writer: BetterSqlite3.Database) {
    super(config)
    this.#config = config
    this.#writer = writer
  }

  override createDriver(): SqliteDriver {
    return new EmbeddedDriver(this.#config, this.#writer)
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new EmbeddedQueryCompiler()
  }
}

/** One transaction writes at a time: nobody is there from whom rows would have to be locked. */
class EmbeddedQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

class EmbeddedDriver extends SqliteDriver {
  readonly #writer: BetterSqlite3.Database

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], writer: BetterSqlite3.Database) {
    super(config)
    this.#writer = writer
  }

  /**
   * After a disk that is full or can't be written, SQLite has taken the transaction back already. To ask for it again is
   * an error, which would hide the one that tells what happened.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#writer.inTransaction) await super.rollbackTransaction(connection)
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

const STATEMENTS_KEPT = 200

/** Preparing a statement costs more than running it: each text is prepared once. */
function preparedOnce(sqlite: BetterSqlite3.Database) {
  const statements = new Map<string, BetterSqlite3.Statement<readonly unknown[]>>()
  return (text: string): BetterSqlite3.Statement<readonly unknown[]> => {
    let statement = statements.get(text)
    if (statement === undefined) {
      if (statements.size >= STATEMENTS_KEPT) statements.clear()
      statement = sqlite.prepare<readonly unknown[]>(text)
      statements.set(text, statement)
    }
    return statement
  }
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  async refuseWhen(db, rule) {
    const body = `create trigger ${rule.name} before ${rule.event} on ${rule.on} for each row when ${rule.when}
      begin select raise(abort, '${rule.message}'); end`
    await sql.raw(body).execute(db)
  },
  async withdraw(db, { name }) {
    await sql.raw(`drop trigger ${name}`).execute(db)
  },
}
