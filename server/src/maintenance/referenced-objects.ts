import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** Which of these objects a record refers to. Expired submissions have no references. One reference each is enough. */
export async function referencedAmong(
  db: Kysely<Database>,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set()
  const { rows } = await sql<{ sha256: string }>`
    select asked.column1 as sha256 from (values ${sql.join(objects.map((sha256) => sql`(${sha256})`))}) as asked
    where exists (select 1 from kit_objects where kit_objects.sha256 = asked.column1)
      or exists (select 1 from evidence
        join submissions on submissions.submission_id = evidence.submission_id
        where evidence.sha256 = asked.column1 and submissions.status <> 'EXPIRED')`.execute(db)
  return new Set(rows.map(({ sha256 }) => sha256))
}

const PAGE = 500

/** The referenced objects in name order, those after `after`. */
export async function* referencedNames(db: Kysely<Database>, after = ''): AsyncGenerator<string> {
  for (let at = after; ;) {
    const names = await referencedAfter(db, at, PAGE)
    yield* names
    at = names.at(-1) ?? at
    if (names.length < PAGE) return
  }
}

async function referencedAfter(
  db: Kysely<Database>,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const found: string[] = []
  for (let at = after; ;) {
    const [ofEvidence, ofKits] = [
      await namesOf(db, 'evidence', at, limit),
      await namesOf(db, 'kit_objects', at, limit),
    ]
    const names = [...new Set([...ofEvidence, ...ofKits])].toSorted().slice(0, limit)
    const referenced = await referencedAmong(db, names)
    found.push(...names.filter((sha256) => referenced.has(sha256)))
    if (names.length < limit || found.length >= limit) return found.slice(0, limit)
    at = names.at(-1) ?? at
  }
}

/** Each name once. The index is read once for each name, because one object can be in every kit. */
async function namesOf(
  db: Kysely<Database>,
  table: 'evidence' | 'kit_objects',
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const from = sql.table(table)
  const { rows } = await sql<{ sha256: string }>`
    with recursive names(sha256, place) as (
      select (select min(sha256) from ${from} where sha256 > ${after}), 1
      union all
      select (select min(sha256) from ${from} where sha256 > names.sha256), names.place + 1
      from names where names.sha256 is not null and names.place < ${limit})
    select sha256 from names where sha256 is not null`.execute(db)
  return rows.map(({ sha256 }) => sha256)
}
