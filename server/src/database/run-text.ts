import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

/** Runs a frequent statement, given as text with `?` for each value, because to build and compile it costs as much as to run it. */
export function runText<Row>(
  db: Kysely<Database>,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  return db.executeQuery<Row>(CompiledQuery.raw(isShared(db) ? numbered(text) : text, values as unknown[]))
}

const MAX_TEXTS = 500
const known = new Map<string, string>()

/** `$1` for the first `?`, and so on. */
function numbered(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  let count = 0
  const result = text.replaceAll('?', () => `$${(count += 1)}`)
  if (known.size >= MAX_TEXTS) known.clear()
  known.set(text, result)
  return result
}

const MAX_TOGETHER = 32
const MAX_EXACT = 8

/** Databases prepare each statement once, so there must not be one for every number of rows: up to eight, or a power of two. */
export function inParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = []
  for (let at = 0; at < all.length;) {
    const left = all.length - at
    const size = left <= MAX_EXACT ? left : Math.min(MAX_TOGETHER, 2 ** Math.floor(Math.log2(left)))
    parts.push(all.slice(at, at + size))
    at += size
  }
  return parts
}

/** `(?, ?), (?, ?)` for two rows of two values. */
export function valueList(rows: number, columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  return Array.from({ length: rows }, () => row).join(', ')
}

/** Inserts rows of these columns. */
export async function insertRows<Table extends keyof Database & string>(
  trx: Kysely<Database>,
  table: Table,
  columns: readonly (keyof Database[Table] & string)[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (const part of inParts(rows))
    await runText(
      trx,
      `insert into ${table} (${columns.join(', ')}) values ${valueList(part.length, columns.length)}`,
      part.flat(),
    )
}
