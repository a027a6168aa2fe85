import type { Kysely, Transaction } from 'kysely'
import { Refusal } from '../refusals.ts'
import type { Actor, Anonymous } from '../runtime/actor.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { isShared } from './dialect.ts'
import type { Database, Db } from './schema.ts'
import type { Cipher, Columns, New, Row, Stored, Table } from './table.ts'
import { transact, transactingTogether, type TransactTogether } from './transact.ts'

/** Who acts, and for which workspace; for none in open intake. */
export interface Acting {
  readonly workspaceId?: WorkspaceId
  readonly actor: Actor | Anonymous
}

/** Types of events are its keys. The area that knows them adds them. */
// eslint-disable-next-line typescript/no-empty-object-type
export interface EventNames {}

export interface Event {
  readonly action: keyof EventNames & string
  /** ID of what was changed. */
  readonly subject: string
  /** IDs and numbers. Never secrets or evidence. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** What a unit is made from. Who records events and queues tasks is handed in where the program starts. */
export interface Foundation {
  readonly db: Db
  readonly clock: Clock
  readonly cipher: Cipher
  id(prefix: string): string
  /** Returns the sequence number of the event. */
  record(unit: Unit, event: Event): Promise<number>
  /** Makes a task due, or removes it if `due` is null. */
  queue(unit: Unit, kind: string, key: string, due: string | null): Promise<void>
}

export interface Bounds {
  readonly before: number
  readonly limit: number
}
export interface PageOf<R> {
  readonly rows: readonly R[]
  readonly next: number | null
}

/** The page of rows of which one more than its limit was asked for: that one tells whether there is another page. */
export function cutPage<R>(
  rows: readonly R[],
  limit: number,
  numberOf: (row: R) => number | null,
): PageOf<R> {
  const listed = rows.slice(0, limit)
  const last = rows.length > limit ? listed.at(-1) : undefined
  return { rows: listed, next: last === undefined ? null : numberOf(last) }
}

type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'is' | 'is not'
type Condition = readonly [name: string, operator: Operator | 'in', value: Stored | readonly Stored[]]
type Order = readonly (readonly [name: string, direction: 'asc' | 'desc'])[]
type AnyTables = Record<string, Record<string, Stored>>

const refuseSealed = (): never => {
  throw new Error('nothing is found by what is sealed')
}

/** Rows of one table, and of one workspace if it has an owner. `where` and `orderBy` return narrower rows; the others run a query. */
export class Rows<C extends Columns> {
  readonly #reader: Reader
  readonly #table: Table<C>
  readonly #conditions: readonly Condition[]
  readonly #order: Order

  constructor(reader: Reader, table: Table<C>, conditions: readonly Condition[], order: Order = []) {
    this.#reader = reader
    this.#table = table
    this.#conditions = conditions
    this.#order = order
  }

  where<N extends keyof C & string>(name: N, operator: Operator, value: Row<C>[N]): Rows<C> {
    const condition: Condition = [name, operator, this.#table.column(name).spec.encode(value, refuseSealed)]
    return new Rows(this.#reader, this.#table, [...this.#conditions, condition], this.#order)
  }

  /** Databases limit the parameters of a statement: not for more than a thousand values. */
  whereIn<N extends keyof C & string>(name: N, values: readonly Row<C>[N][]): Rows<C> {
    const { encode } = this.#table.column(name).spec
    const condition: Condition = [name, 'in', values.map((value) => encode(value, refuseSealed))]
    return new Rows(this.#reader, this.#table, [...this.#conditions, condition], this.#order)
  }

  orderBy(name: keyof C & string, direction: 'asc' | 'desc' = 'asc'): Rows<C> {
    return new Rows(this.#reader, this.#table, this.#conditions, [...this.#order, [name, direction]])
  }

  #query() {
    let query = this.#reader.tables.selectFrom(this.#table.name)
    for (const [name, operator, value] of this.#conditions) query = query.where(name, operator, value)
    for (const [name, direction] of this.#order) query = query.orderBy(name, direction)
    return query
  }

  async all(limit?: number): Promise<readonly Row<C>[]> {
    const query = this.#query().selectAll()
    const rows = await (limit === undefined ? query : query.limit(limit)).execute()
    return rows.map((row) => this.#table.decode(row, this.#reader.cipher))
  }

  async first(): Promise<Row<C> | undefined> {
    return (await this.all(1))[0]
  }

  async count(): Promise<number> {
    const { count } = await this.#query()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  find(id: string): Promise<Row<C>> {
    return this.#one(id, false)
  }

  /** Until the unit ends, no other unit changes the row. SQLite has one writer at a time. */
  lock(id: string): Promise<Row<C>> {
    return this.#one(id, true)
  }

  async #one(id: string, locks: boolean): Promise<Row<C>> {
    const query = this.#query().selectAll().where(this.#table.id, '=', id)
    const row = await (locks ? query.forUpdate() : query).executeTakeFirst()
    if (row === undefined) throw new Refusal(...this.#table.more.missing)
    return this.#table.decode(row, this.#reader.cipher)
  }

  /** Newest first. */
  async page(by: keyof C & string, { before, limit }: Bounds): Promise<PageOf<Row<C>>> {
    const conditions: readonly Condition[] = [...this.#conditions, [by, '<', before]]
    const rows = await new Rows(this.#reader, this.#table, conditions, [[by, 'desc']]).all(limit + 1)
    return cutPage(rows, limit, (row) => Number(row[by]))
  }
}

/** Reads. A `GET` is handed this, so it cannot write. */
export class Reader {
  readonly at: string
  readonly acting: Acting
  readonly cipher: Cipher
  protected readonly foundation: Foundation
  readonly #db: Db
  #ended: string | undefined

  constructor(foundation: Foundation, db: Db, acting: Acting) {
    this.foundation = foundation
    this.#db = db
    this.at = timestamp(foundation.clock.now())
    this.acting = acting
    this.cipher = foundation.cipher
  }

  get workspaceId(): WorkspaceId {
    if (this.acting.workspaceId === undefined) throw new Error('nobody acts for a workspace here')
    return this.acting.workspaceId
  }

  /** For queries that `Rows` cannot say, such as joins. */
  get db(): Db {
    if (this.#ended !== undefined) throw new Error(this.#ended)
    return this.#db
  }

  get tables(): Kysely<AnyTables> {
    return this.db.$pickTables<never>().$extendTables<AnyTables>()
  }

  end(reason: string): void {
    this.#ended = reason
  }

  after(milliseconds: number): string {
    return timestamp(Date.parse(this.at) + milliseconds)
  }

  /** The rows of the workspace. */
  own<C extends Columns>(table: Table<C>): Rows<C> {
    if (table.named('owner').length === 0)
      throw new Error(`${table.name} has no owner: use rows() with the row it belongs to`)
    return new Rows(this, table, this.owned(table))
  }

  /** Rows of a table without an owner, which belong to another row: `rows(attempts, { webhook_id })`. */
  rows<C extends Columns>(table: Table<C>, of: Readonly<Record<string, Stored>>): Rows<C> {
    const conditions = Object.entries(of).map(([name, value]): Condition => [name, '=', value])
    return new Rows(this, table, conditions)
  }

  protected owned(table: Pick<Table, 'named'>): readonly Condition[] {
    return table.named('owner').map((name) => [name, '=', this.workspaceId])
  }
}

/** One commit. It awaits nothing but the database: network, files and workers come before or after. */
export class Unit extends Reader {
  async insert<C extends Columns>(table: Table<C>, values: New<C>): Promise<Row<C>> {
    const [row] = await this.insertAll(table, [values])
    return row!
  }

  async insertAll<C extends Columns>(table: Table<C>, all: readonly New<C>[]): Promise<readonly Row<C>[]> {
    if (all.length === 0) return []
    const { at, acting, foundation } = this
    const from = { at, workspaceId: acting.workspaceId, id: foundation.id }
    const rows = all.map((values) => table.fill(values, from))
    const stored = rows.map((row) => table.encode(row, this.cipher, table.keyOf(row)))
    await this.tables.insertInto(table.name).values(stored).execute()
    return rows
  }

  async update<C extends Columns>(table: Table<C>, id: string, changes: Partial<Row<C>>): Promise<Row<C>> {
    for (const name of [table.id, ...table.named('owner')])
      if (name in changes) throw new Error(`${name} of ${table.name} never changes`)
    const touched = Object.fromEntries(table.named('touched').map((name) => [name, this.at]))
    let query = this.tables
      .updateTable(table.name)
      .set({ ...touched, ...table.encode(changes, this.cipher, id) })
    for (const [name, operator, value] of this.#row(table, id)) query = query.where(name, operator, value)
    return table.decode(await query.returningAll().executeTakeFirstOrThrow(), this.cipher)
  }

  async delete<C extends Columns>(table: Table<C>, id: string): Promise<void> {
    let query = this.tables.deleteFrom(table.name)
    for (const [name, operator, value] of this.#row(table, id)) query = query.where(name, operator, value)
    await query.execute()
  }

  #row(table: Pick<Table, 'named' | 'id'>, id: string): readonly Condition[] {
    return [...this.owned(table), [table.id, '=', id]]
  }

  record(action: Event['action'], subject: string, details?: Event['details']): Promise<number> {
    return this.foundation.record(this, { action, subject, ...(details && { details }) })
  }

  queue(kind: string, key: string, due: string = this.at): Promise<void> {
    return this.foundation.queue(this, kind, key, due)
  }

  unqueue(kind: string, key: string): Promise<void> {
    return this.foundation.queue(this, kind, key, null)
  }
}

const POSTGRES_PATIENCE_MS = 10_000

/** Runs units. */
export class Units {
  readonly #foundation: Foundation
  /** For transactions that are no units. */
  readonly together: TransactTogether

  constructor(foundation: Foundation) {
    this.#foundation = foundation
    this.together = transactingTogether(foundation.db)
  }

  async read<T>(acting: Acting, work: (reader: Reader) => Promise<T>): Promise<T> {
    return work(new Reader(this.#foundation, this.#foundation.db, acting))
  }

  /** For stories that are part of a transaction that began elsewhere. */
  within(trx: Db, acting: Acting): Unit {
    return new Unit(this.#foundation, trx, acting)
  }

  /** Resolves after the commit. `name` is the operation or task, for messages. `work` may run again, such as after a deadlock. */
  write<T>(acting: Acting, name: string, work: (unit: Unit) => Promise<T>): Promise<T> {
    const { db } = this.#foundation
    const run = (trx: Transaction<Database>): Promise<T> => this.#unit(trx, acting, name, work)
    return isShared(db) ? transact(db, run) : this.together('', run)
  }

  async #unit<T>(
    trx: Transaction<Database>,
    acting: Acting,
    name: string,
    work: (unit: Unit) => Promise<T>,
  ): Promise<T> {
    const unit = new Unit(this.#foundation, trx, acting)
    try {
      return await watched(name, work(unit), isShared(trx))
    } finally {
      unit.end(`${name} used its unit after it had ended`)
    }
  }
}

/**
 * SQLite answers within the microtask queue, and a tick that a microtask asks for comes when that queue is empty. A unit
 * that has not ended by then awaits something else. PostgreSQL answers later, so there a timer has to do.
 */
function watched<T>(name: string, work: Promise<T>, isOnPostgres: boolean): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  let isRunning = true
  const stop = (): void => {
    if (isRunning)
      reject(new Error(`${name} awaits something other than the database, and holds up all others`))
  }
  const timer = isOnPostgres ? setTimeout(stop, POSTGRES_PATIENCE_MS) : undefined
  if (timer === undefined) process.nextTick(stop)
  return Promise.race([work, promise]).finally(() => {
    isRunning = false
    clearTimeout(timer)
  })
}
