// docs/decisions/0102
import { CompiledQuery, type Kysely } from 'kysely'
import { isShared } from './dialect.ts'
import { type Writer, writerOf } from './prepared.ts'
import type { Database } from './schema.ts'

/** A statement with `?` for each parameter, written by hand because building and compiling it takes longer than running it. */
interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** A statement that changes rows. */
export interface Change {
  readonly sqlite: () => Statement
  /** `only` is a condition that must hold, in addition to its own. */
  readonly postgres: (only: string) => Statement
}

export interface Changed<Row> {
  /** How many rows each change affected. */
  readonly counts: readonly number[]
  /** What the last change returned. */
  readonly rows: readonly Row[]
}

/** Inserts rows that have the same columns. */
export function insertion<Name extends keyof Database & string>(
  table: Name,
  rows: readonly Readonly<Database[Name]>[],
  onConflict = '',
): Change {
  const columns = Object.keys(rows[0] ?? {})
  return {
    sqlite: () => ({
      text: insertText(table, columns, rows.length, onConflict),
      parameters: rows.flatMap((each) => Object.values(each)),
    }),
    // As JSON, so that it is the same statement for any number of rows.
    postgres: (only) => {
      const names = namesOf(columns)
      return {
        text: `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, ?) where ${only}${onConflict}`,
        parameters: [JSON.stringify(rows, wellFormed)],
      }
    },
  }
}

const namesOf = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

const insertTexts = new Map<string, string>()
const MAX_TEXTS = 200

/** Made once, because a text that is made again has to be hashed again to find its prepared statement. */
function insertText(table: string, columns: readonly string[], rows: number, onConflict: string): string {
  const shape = `${table} ${rows} ${columns.join()}${onConflict}`
  const known = insertTexts.get(shape)
  if (known !== undefined) return known
  const row = `(${columns.map(() => '?').join(', ')})`
  const values = Array<string>(rows).fill(row).join(', ')
  const text = `insert into ${table} (${namesOf(columns)}) values ${values}${onConflict}`
  if (insertTexts.size >= MAX_TEXTS) insertTexts.clear()
  insertTexts.set(shape, text)
  return text
}

/** As the drivers store text. JSON would keep unpaired surrogates, which PostgreSQL rejects. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** An update. `text` ends with its condition. */
export function updating(text: string, parameters: readonly unknown[], returning = '1 as done'): Change {
  return {
    sqlite: () => ({ text: `${text} returning ${returning}`, parameters }),
    postgres: (only) => ({ text: `${text} and ${only} returning ${returning}`, parameters }),
  }
}

/**
 * Makes changes in this order, and stops after the first one that affects no row. PostgreSQL makes them in one statement, so
 * none may read what another has written.
 */
export function makeChanges<Row = unknown>(
  trx: Kysely<Database>,
  changes: readonly Change[],
): Promise<Changed<Row>> {
  return isShared(trx) ? inOneStatement(trx, changes) : oneByOne(trx, changes)
}

async function oneByOne<Row>(trx: Kysely<Database>, changes: readonly Change[]): Promise<Changed<Row>> {
  const run = writerOf(trx) ?? queryBuilderWriter(trx)
  const counts: number[] = []
  let rows: readonly Row[] = []
  for (const change of changes) {
    const { text, parameters } = change.sqlite()
    const done = run(text, parameters)
    const changed = done instanceof Promise ? await done : done
    counts.push(changed.count)
    rows = changed.rows as readonly Row[]
    if (changed.count === 0) break
  }
  return { counts, rows: counts.length === changes.length ? rows : [] }
}

const queryBuilderWriter =
  (db: Kysely<Database>): Writer =>
  async (text, parameters) => {
    const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]))
    return { rows, count: rows.length > 0 ? rows.length : Number(numAffectedRows ?? 0) }
  }

async function inOneStatement<Row>(trx: Kysely<Database>, changes: readonly Change[]): Promise<Changed<Row>> {
  const statements = changes.map((change, index) =>
    // All rows are counted, so that a change is complete before the next one begins.
    change.postgres(index === 0 ? 'true' : `(select count(*) from change_${index - 1}) > 0`),
  )
  const parameters = statements.flatMap((each) => each.parameters)
  const query = CompiledQuery.raw(joined(statements.map(({ text }) => text)), parameters)
  const { rows } = await trx.executeQuery<Row & Counts>(query)
  const counts = changes.map((_, index) => Number(rows[0]?.[`changed_${index}`] ?? 0))
  return { counts, rows: (counts.at(-1) ?? 0) > 0 ? rows : [] }
}

type Counts = Readonly<Record<`changed_${number}`, number>>

function joined(texts: readonly string[]): string {
  const parts = texts.map((text, index) => {
    const returning = text.startsWith('insert ') ? ' returning 1 as done' : ''
    return `change_${index} as (${text}${returning})`
  })
  const counts = texts.map((_, index) => `(select count(*) from change_${index}) as changed_${index}`)
  const last = `change_${texts.length - 1}`
  const all = `with ${parts.join(', ')} select ${counts.join(', ')}, ${last}.* from (select 1 as one) as one left join ${last} on true`
  let number = 0
  return all.replaceAll('?', () => `$${(number += 1)}`)
}
