import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { insertWorkspace } from '../../test/insert-workspace.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import {
  type FindSubmissions,
  findSubmissions,
  pageQuery,
  SORTS,
  type Sort,
  type SubmissionFilters,
} from './find-submissions.ts'

const ROWS = 10_000
const ACME = 'ws_acme' as WorkspaceId
const NOW = '2026-11-16T12:00:00.000Z'

const find = (filters: SubmissionFilters, sort: Sort = '-created_at'): FindSubmissions => ({
  workspaceId: ACME,
  filters,
  sort,
  after: undefined,
  limit: 50,
  now: NOW,
})

/** Filters that few submissions match. */
const RARE: readonly SubmissionFilters[] = [
  { path: 'payroll' },
  { label: 'special' },
  { q: 'payroll' },
  { tag: 'rare' },
  { series: 'Quarterly' },
  { external_id: 'ticket-77' },
  { status: 'FAIL' },
  { status: 'PENDING' },
]

onEachDatabase(({ name, create }) => {
  let database: EmptyDatabase
  let db: Db
  before(async () => {
    database = await create()
    db = await database.open()
    await fill(db, name)
  })
  after(() => database[Symbol.asyncDispose]())

  const found = async (asked: FindSubmissions): Promise<readonly number[]> =>
    (await findSubmissions(db, asked)).rows.map(({ sequence }) => sequence)

  const planOf = async (asked: FindSubmissions): Promise<string> => {
    const query = pageQuery(db, asked)
    const rows = await (name === 'SQLite' ? query.explain(undefined, sql`query plan`) : query.explain())
    return rows.map((row) => Object.values(row as object).join(' ')).join('\n')
  }

  for (const filters of RARE)
    test(`${JSON.stringify(filters)} reads an index, not every submission`, async () => {
      const plan = await planOf(find(filters))
      assert.doesNotMatch(plan, /^\s*.*\b(SCAN|Seq Scan on) (submissions|submission_words)\b/m, plan)
      if (name === 'SQLite') assert.doesNotMatch(plan, /submissions_of_workspace \(workspace_id=\?\)/, plan)
      const sequences = await found(find(filters))
      assert.ok(sequences.length > 0 && sequences.length < 10, `${sequences.length} found`)
    })

  for (const sort of SORTS)
    test(`sorting by ${sort} reads one page of an index`, async () => {
      const plan = await planOf(find({}, sort))
      assert.doesNotMatch(plan, /TEMP B-TREE|\bSort\b|Seq Scan on submissions/, plan)
    })

  test('pages of every order have every submission once', async () => {
    for (const sort of SORTS) {
      const seen: number[] = []
      let last: number | undefined
      do {
        const page = await findSubmissions(db, { ...find({ tag: 'some' }, sort), limit: 7, after: last })
        seen.push(...page.rows.map(({ sequence }) => sequence))
        last = page.next ?? undefined
      } while (last !== undefined)
      assert.equal(new Set(seen).size, seen.length, sort)
      assert.equal(seen.length, ROWS / 1000, sort)
    }
  })

  test('a range of times is found without reading what lies outside', async () => {
    const filters = { created_after: '2026-01-01T01:00:00.000Z', created_before: '2026-01-01T01:00:05Z' }
    assert.deepEqual(await found(find(filters)), [3604, 3603, 3602, 3601, 3600])
    assert.deepEqual(await found(find({ created_after: '2030-01-01T00:00:00Z' })), [])
  })

  test('another workspace is never found', async () => {
    const asked = { ...find({ q: 'payroll' }), workspaceId: 'ws_other' as WorkspaceId }
    assert.deepEqual(await found(asked), [])
  })
})

/** One submission each second, nearly all of them expired. */
async function fill(db: Db, name: string): Promise<void> {
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(ROWS)})`
  const second = sql`cast(i % 60 as text)`
  const two = (text: typeof second) => sql`substr('0' || ${text}, length('0' || ${text}) - 1)`
  const time = sql`'2026-01-01T' || ${two(sql`cast(i / 3600 as text)`)} || ':' || ${two(sql`cast((i / 60) % 60 as text)`)} || ':' || ${two(second)} || '.000Z'`
  await insertWorkspace(db, ACME)
  // Each would change other rows, and PostgreSQL keeps every version of them until the statement ends.
  const triggers = (change: 'disable' | 'enable') =>
    sql`alter table submissions ${sql.raw(change)} trigger user`.execute(db)
  if (name === 'PostgreSQL') await triggers('disable')
  await sql`insert into submissions (submission_id, workspace_id, sequence, job_id, tenant_id, scope_label, status,
      job_created_at, job_updated_at, authenticated, label, label_key, profile, created_at, updated_at, uploads,
      uploaded_bytes, open_uploads, reserved_bytes, series, external_id)
    ${numbers} select 'sub_' || i, ${ACME}, i, 'job_' || i, 'acme', 'x', case when i % 5000 = 1 then 'SUBMITTED' else 'DRAFT' end,
      ${time}, ${time}, 1, 'Review ' || (i % 100), 'review ' || (i % 100), 'default', ${time}, ${time}, 1, i % 1000, 0, 0,
      case when i % 5000 = 3 then 'Quarterly' end, case when i = 77 then 'ticket-77' else 'ticket' end from n`.execute(
    db,
  )
  await sql`update submissions set status = 'FAIL', blockers = '[]' where status = 'SUBMITTED'`.execute(db)
  await sql`update submissions set status = 'EXPIRED' where status = 'DRAFT' and sequence % 5000 <> 2`.execute(
    db,
  )
  if (name === 'PostgreSQL') await triggers('enable')
  const words = (field: string, word: string, every: number) =>
    sql`insert into submission_words (workspace_id, field, word, sequence)
      ${numbers} select ${ACME}, ${field}, ${word}, i from n where i % ${sql.lit(every)} = 0`.execute(db)
  await words('label', 'review', 1)
  await words('path', 'access', 1)
  await words('path', 'payroll2026', 5000)
  await words('label', 'special', 5000)
  await words('tag', 'rare', 5000)
  await words('tag', 'some', 1000)
  if (name === 'PostgreSQL') await sql`analyze`.execute(db)
}
