import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { smallForm } from '../account/small-form.ts'
import {
  bulkPostgres,
  bulkSqlite,
  cloneKits,
  type BulkSql,
  UNIQUE_WORD,
} from '../../server/test/clone-kits.ts'
import { newDatabase, postgresServer } from '../../test/kit/postgres.ts'
import { reportTable } from '../report.ts'
import { workspaceIn } from '../upload/workspace.ts'
import { startKitseal } from './processes.ts'

const COPIES = 20_000
/** Less is left by what exists once. */
const LEAST_BYTES = 10

interface Size {
  readonly table: string
  /** Empty for the rows of the table. */
  readonly index: string
  readonly bytes: number
}

/** `npm run bench:service -- sizes`: bytes per kit of each table and index, without long waits. */
export async function measureSizes(folder: string): Promise<void> {
  for (const database of ['SQLite', 'PostgreSQL'] as const) {
    const sizes = await sizesOn(database, join(folder, `sizes-${database}`))
    const sum = (rows: readonly Size[]): number => rows.reduce((bytes, row) => bytes + row.bytes, 0)
    const tables = [...new Set(sizes.map(({ table }) => table))].map((table) => {
      const own = sizes.filter((row) => row.table === table)
      return { table, all: sum(own), indexes: sum(own.filter(({ index }) => index !== '')) }
    })
    reportTable(
      `bytes per kit on ${database}, with ${COPIES.toLocaleString('en')} copies`,
      ['table', 'bytes', 'of these in indexes'],
      tables
        .filter(({ all }) => all >= LEAST_BYTES)
        .toSorted((a, b) => b.all - a.all)
        .map(({ table, all, indexes }) => [table, all.toFixed(0), indexes.toFixed(0)]),
    )
    reportTable(
      `bytes per kit of each index on ${database}`,
      ['index', 'table', 'bytes'],
      sizes
        .filter(({ index, bytes }) => index !== '' && bytes >= LEAST_BYTES)
        .toSorted((a, b) => b.bytes - a.bytes)
        .map(({ index, table, bytes }) => [index, table, bytes.toFixed(0)]),
    )
  }
}

async function sizesOn(database: BulkSql['is'], data: string): Promise<readonly Size[]> {
  await mkdir(data, { recursive: true })
  await using server = database === 'PostgreSQL' ? await postgresServer() : undefined
  const url = server === undefined ? undefined : await newDatabase(server.url)
  const settings: Record<string, string> = url === undefined ? {} : { KITSEAL_DATABASE_URL: url }
  const template = await issueTwo(data, settings)
  const open = () => (url === undefined ? bulkSqlite(join(data, 'kitseal.sqlite')) : bulkPostgres(url))
  {
    await using sql = await open()
    await cloneKits(sql, template, { count: COPIES })
  }
  await using sql =
    url === undefined ? await bulkSqlite(join(data, 'kitseal.sqlite'), false) : await bulkPostgres(url, false)
  const rows = await sql.all(database === 'SQLite' ? SQLITE_SIZES : POSTGRES_SIZES)
  return rows.map((row) => ({
    table: String(row['owner']),
    index: String(row['index_name']),
    bytes: Number(row['bytes']) / COPIES,
  }))
}

const SQLITE_SIZES = `select m.tbl_name as owner, case when m.type = 'index' then m.name else '' end as index_name,
  sum(s.pgsize) as bytes from dbstat s join sqlite_master m on m.name = s.name group by m.name`
const POSTGRES_SIZES = `select t.relname as owner, case when c.relkind = 'i' then c.relname else '' end as index_name,
    pg_relation_size(c.oid) + coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0) as bytes
  from pg_class c left join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`

/** The second is copied: what both have in common is stored once. */
export async function issueTwo(data: string, settings: Readonly<Record<string, string>>) {
  await using service = await startKitseal(data, settings)
  const client = await workspaceIn(service.base, { KITSEAL_DATA: data, ...settings })
  const attributes = { series: 'Access review', external_id: UNIQUE_WORD, tags: ['quarterly'] }
  let last: Readonly<Record<string, unknown>> = {}
  for (const number of [1, 2]) {
    const body = { label: `Q3 access review ${UNIQUE_WORD}`, ...attributes }
    const id = String((await client.post('/v1/submissions', body))['submission_id'])
    const form = smallForm(number)
    await client.send(`/v1/submissions/${id}/evidence`, form.body, { 'content-type': form.type })
    last = (await client.ended(id)).record as Readonly<Record<string, unknown>>
  }
  const of = (name: string): string => String(last[name])
  return {
    key: client.key,
    job: of('job_id'),
    kit: of('kit_id'),
    submission: of('submission_id'),
    workspace: of('workspace_id'),
  }
}
