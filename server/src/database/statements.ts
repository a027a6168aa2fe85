import * as postgres from 'kysely/helpers/postgres'
import * as sqlite from 'kysely/helpers/sqlite'
import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type Expression,
  type OperationNodeSource,
  sql,
  type SelectQueryBuilder,
  type QueryCreator,
  type RawBuilder,
  type BinaryOperationNode,
  ColumnNode,
  type OperationNode,
  ReferenceNode,
  ValueNode,
} from 'kysely'
import type { Database, Db } from './schema.ts'
import { isShared } from './dialect.ts'

/** Stands for a value that each run of a query gives. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

/** A query in the transaction, or on the database that it was prepared for. */
type Prepared<Values, Row> = (values: Values, trx?: Kysely<Database>) => Promise<readonly Row[]>

/** A frequent query, built and compiled once because that takes longer than running it. */
export function prepared<Values extends object, Row>(
  db: Kysely<Database>,
  build: (param: Param<Values>) => Compilable<Row>,
): Prepared<Values, Row> {
  let compiled: CompiledQuery | undefined
  return async (values, trx = db) => {
    compiled ??= build(((name: string) => new Placeholder(name)) as unknown as Param<Values>).compile()
    const given = values as Readonly<Record<string, unknown>>
    const parameters = compiled.parameters.map((each) =>
      each instanceof Placeholder ? given[each.name] : each,
    )
    return (await trx.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

/** A prepared query of at most one row. */
export function preparedFirst<Values extends object, Row>(
  db: Kysely<Database>,
  build: (param: Param<Values>) => Compilable<Row>,
): (values: Values, trx?: Kysely<Database>) => Promise<Row | undefined> {
  const run = prepared(db, build)
  return async (values, trx) => (await run(values, trx))[0]
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A statement that changes rows, and returns none. */
export interface Change extends OperationNodeSource, Compilable {
  execute(): Promise<unknown>
}

/**
 * Makes changes of a transaction in this order, and returns how many rows each of them has changed. To PostgreSQL each statement
 * is a round trip, so there they are parts of one statement: triggers see what those before have written, the others do not.
 */
export async function inOneRoundTrip(
  trx: Kysely<Database>,
  changes: readonly Change[],
): Promise<readonly number[]> {
  const counts: number[] = []
  if (!isShared(trx) || changes.length < 2) {
    for (const change of changes)
      counts.push(Number((await trx.executeQuery(change.compile())).numAffectedRows ?? 0))
    return counts
  }
  const parts = changes.map((change, index) => sql`${sql.ref(`change_${index}`)} as (${change} returning 1)`)
  const counted = changes.map((_, index) => sql`(select count(*) from ${sql.table(`change_${index}`)})`)
  const all = sql<{
    readonly counts: readonly number[]
  }>`with ${sql.join(parts)} select array[${sql.join(counted)}] as counts`
  const { rows } = await all.execute(trx)
  return (rows[0]?.counts ?? []).map(Number)
}

/** The rows of a query as one column of another, so that both are one statement. The query names its columns. */
export function nestedRows<Tables extends keyof Database, Row>(
  db: Db,
  rows: SelectQueryBuilder<Database, Tables, Row>,
): ReturnType<typeof sqlite.jsonArrayFrom<Row>> {
  return isShared(db) ? postgres.jsonArrayFrom(rows) : sqlite.jsonArrayFrom(rows)
}

/** SQLite has no type for JSON. */
export const unnested = <Row>(rows: readonly Row[]): readonly Row[] =>
  typeof rows === 'string' ? (JSON.parse(rows) as readonly Row[]) : rows

type Value = string | number | null

/** A statement that can join these rows as a table of this name. */
export function withRows<Tables, Name extends string, Row extends Readonly<Record<keyof Row, Value>>>(
  db: Kysely<Tables>,
  name: Name,
  rows: readonly Row[],
): QueryCreator<Tables & Readonly<Record<Name, Row>>> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[]
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => typed(row[column])))})`)
  const table: Expression<object> = sql`(values ${sql.join(values)})`
  const creator: unknown = db.with(`${String(name)}(${columns.join(', ')})`, () => table)
  return creator as QueryCreator<Tables & Readonly<Record<Name, Row>>>
}

/** PostgreSQL takes parameters of a list of values for texts. */
const typed = (value: Value): RawBuilder<unknown> =>
  typeof value === 'number' ? sql`cast(${value} as bigint)` : sql`${value}`

const MAX_TOGETHER = 32

/** Databases prepare each statement once, so there must not be one for every number of rows. */
export function inPowersOfTwo<T>(all: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = []
  for (let at = 0; at < all.length;) {
    const size = Math.min(MAX_TOGETHER, 2 ** Math.floor(Math.log2(all.length - at)))
    parts.push(all.slice(at, at + size))
    at += size
  }
  return parts
}

/** The columns that partial indexes are about: few values, all of them our own words. */
const STATES = new Set(['status', 'state', 'open_uploads', 'indexed', 'settled', 'quorum_met'])

/**
 * A comparison of a state with a value, with the value in the text of the statement. As a parameter it would keep PostgreSQL from
 * using a partial index, and SQLite would prepare the statement again for each run.
 */
export function literalState(node: BinaryOperationNode): BinaryOperationNode {
  const { leftOperand, rightOperand } = node
  if (!STATES.has(columnOf(leftOperand) ?? '') || !ValueNode.is(rightOperand)) return node
  const { value } = rightOperand
  const isPlain = Number.isSafeInteger(value) || (typeof value === 'string' && /^\w+$/.test(value))
  return isPlain ? { ...node, rightOperand: ValueNode.createImmediate(value) } : node
}

function columnOf(node: OperationNode): string | undefined {
  if (ReferenceNode.is(node)) return columnOf(node.column)
  return ColumnNode.is(node) ? node.column.name : undefined
}
