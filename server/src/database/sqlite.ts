import fs, { chmodSync, closeSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '@kitseal/kit/internal/node'
import BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  type BinaryOperationNode,
  type DatabaseConnection,
  type LimitNode,
  type SelectModifierNode,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { reportDurable } from '../runtime/durable.ts'
import { literalState } from './statements.ts'
import { createSchema } from './create-schema.ts'
import type { Database, Db } from './schema.ts'
import type { Table } from './table.ts'

/** Path of the SQLite database in a data folder. */
export function sqliteFile({ dataFolder }: { readonly dataFolder: string }): string {
  return join(dataFolder, 'kitseal.sqlite')
}

export interface SqliteOptions {
  readonly tables?: readonly Table[]
  readonly checkpointPages?: number
}

/**
 * Opens an SQLite file in WAL mode, with its tables; every commit is synced before it is acknowledged, and before anyone is told
 * what it changed. Several processes may open one file and wait for each other's writes.
 */
export async function openSqlite(
  file: string,
  onStatement?: (text: string) => void,
  { tables = [], checkpointPages = CHECKPOINT_PAGES }: SqliteOptions = {},
): Promise<Db> {
  await makeFolder(dirname(file))
  const writer = connectWriter(file, onStatement)
  writer.pragma(`wal_autocheckpoint = ${checkpointPages}`)
  const log = new WriteAheadLog(`${file}-wal`)
  const close = (): void => {
    writer.close()
    void log.close()
  }
  const prepared = statementCache(writer)
  const prepare = (text: string) => {
    const statement = prepared(text)
    if (!statement.readonly) log.isDirty = true
    return statement
  }
  const db = new Kysely<Database>({
    dialect: new EmbeddedDialect({ database: { prepare, close } }, writer, log),
  })
  try {
    await createSchema(db, { tables })
    return db
  } catch (error) {
    close()
    throw error
  }
}

/** How long to wait for another process that writes, such as `kitseal admin`. */
const BUSY_MS = 10_000
const RETRY_MS = 5

/**
 * A checkpoint copies pages from the WAL to the database, and the connection whose commit causes it waits. Each page is
 * copied once, however often it was written, so checkpoints are not frequent.
 */
const CHECKPOINT_PAGES = 8000

/**
 * A commit writes every page that it changed, and a submission changes about 80, most of them in a few bytes. Smaller pages make
 * deeper trees. Databases that exist keep their size.
 */
const PAGE_BYTES = 2048

function connectWriter(file: string, onStatement?: (text: string) => void): BetterSqlite3.Database {
  const verbose = onStatement === undefined ? {} : { verbose: (text: unknown) => onStatement(String(text)) }
  const writer = new BetterSqlite3(file, { timeout: BUSY_MS, ...verbose })
  chmodSync(file, 0o600)
  writer.pragma(`page_size = ${PAGE_BYTES}`)
  writer.pragma('journal_mode = WAL')
  // From here on `waitForLock` waits, without blocking the thread.
  writer.pragma('busy_timeout = 0')
  // SQLite syncs before and after a checkpoint; `WriteAheadLog` syncs each commit.
  writer.pragma('synchronous = NORMAL')
  writer.pragma('foreign_keys = ON')
  writer.pragma('cache_size = -32768')
  // Without statistics SQLite prefers an index that it builds from the whole table for one query to a partial one that exists.
  writer.pragma('automatic_index = off')
  return writer
}

/** Syncs the commits of one connection: those that come while the disk is busy together. SQLite would block the thread meanwhile. */
class WriteAheadLog {
  /** Whether the connection has written what is not committed yet. */
  isDirty = false
  #commits = 0
  #synced = 0
  #syncing: Promise<void> | undefined
  readonly #path: string
  #file: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  committed(): void {
    if (this.isDirty) this.#commits += 1
    this.isDirty = false
  }

  /** Resolves when all that is committed now is on disk. */
  async synced(): Promise<void> {
    const commits = this.#commits
    while (this.#synced < commits) await (this.#syncing ??= this.#sync())
  }

  async #sync(): Promise<void> {
    const commits = this.#commits
    const file = (this.#file ??= openSync(this.#path, 'r+'))
    await new Promise<void>((resolve) => {
      fs.fdatasync(file, (error) => {
        if (error === null) resolve()
        // The system may have dropped the pages, so no later sync could tell whether they are on disk. A restart reads what is.
        else throw new Error('the database cannot be synced', { cause: error })
      })
    })
    this.#synced = commits
    this.#syncing = undefined
  }

  async close(): Promise<void> {
    await this.#syncing
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

class EmbeddedDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDriver>[0]
  readonly #writer: BetterSqlite3.Database
  readonly #log: WriteAheadLog

  constructor(
    config: ConstructorParameters<typeof SqliteDriver>[0],
    writer: BetterSqlite3.Database,
    log: WriteAheadLog,
  ) {
    super(config)
    this.#config = config
    this.#writer = writer
    this.#log = log
  }

  override createDriver(): SqliteDriver {
    return new EmbeddedDriver(this.#config, this.#writer, this.#log)
  }

  override createAdapter(): SqliteAdapter {
    return new EmbeddedAdapter()
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new EmbeddedQueryCompiler()
  }
}

/** The driver lets whoever uses the one connection take turns. Kysely would let the next wait until the disk is done. */
class EmbeddedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class EmbeddedQueryCompiler extends SqliteQueryCompiler {
  /** SQLite prepares a statement with a parameter as its limit again for each run. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    const isNumber = ValueNode.is(limit) && typeof limit.value === 'number'
    super.visitLimit(isNumber ? { ...node, limit: ValueNode.createImmediate(limit.value) } : node)
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(literalState(node))
  }

  /** Drops FOR UPDATE: SQLite has one writer at a time, so rows need no locks. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

class EmbeddedDriver extends SqliteDriver {
  readonly #writer: BetterSqlite3.Database
  readonly #log: WriteAheadLog
  #patient: DatabaseConnection | undefined
  /** One after the other. */
  #turn: Promise<void> = Promise.resolve()
  #endTurn = (): void => {}

  constructor(
    config: ConstructorParameters<typeof SqliteDriver>[0],
    writer: BetterSqlite3.Database,
    log: WriteAheadLog,
  ) {
    super(config)
    this.#writer = writer
    this.#log = log
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#turn
    this.#turn = promise
    await before
    this.#endTurn = resolve
    const connection = await super.acquireConnection()
    return (this.#patient ??= {
      executeQuery: (query) =>
        this.#writer.inTransaction
          ? connection.executeQuery(query)
          : waitForLock(() => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    })
  }

  /** After a disk error SQLite has rolled back already. A second rollback would fail and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#writer.inTransaction) await super.rollbackTransaction(connection)
    this.#log.isDirty = false
  }

  /** A deferred transaction that writes after reading can fail with SQLITE_BUSY; an immediate one waits. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    this.#log.isDirty = false
  }

  /** What used the connection has committed all it wrote. It is told so, and what it read, when that is on disk; the next begins at once. */
  override async releaseConnection(): Promise<void> {
    this.#log.committed()
    this.#endTurn()
    await this.#log.synced()
    reportDurable('commit')
  }
}

/** By the clock: SQLite's own handler blocks the thread, and counts how long it asked to sleep. */
async function waitForLock<T>(statement: () => Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_MS
  for (;;) {
    try {
      return await statement()
    } catch (error) {
      const isBusy = /^SQLITE_(BUSY|LOCKED)/.test(String((error as NodeJS.ErrnoException).code))
      if (!isBusy || performance.now() >= until) throw error
      await sleep(RETRY_MS)
    }
  }
}

const MAX_STATEMENTS = 200

/** Prepares each statement once, because preparing costs more than running. */
function statementCache(sqlite: BetterSqlite3.Database) {
  const statements = new Map<string, BetterSqlite3.Statement<readonly unknown[]>>()
  return (text: string): BetterSqlite3.Statement<readonly unknown[]> => {
    let statement = statements.get(text)
    if (statement === undefined) {
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statement = sqlite.prepare<readonly unknown[]>(text)
      statements.set(text, statement)
    }
    return statement
  }
}
