import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Stands for a value that each run of a query gives. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

/** A query in the transaction, or on the database that it was prepared for. */
export type Prepared<Values, Row> = (values: Values, trx?: Kysely<Database>) => Promise<readonly Row[]>

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
