// Fills a database for measurements: copies of a real kit, with all rows that belong to it, made by a few statements.
import pg from 'pg'

/** Statements on a database whose service is stopped, without triggers and foreign keys. */
export interface BulkSql extends AsyncDisposable {
  readonly is: 'SQLite' | 'PostgreSQL'
  all(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export interface Clones {
  readonly count: number
  /** Long texts of kits are left out, because no index has them. */
  readonly isLean?: boolean
  /** How many copies there are already. New ones are of now, and their IDs follow those. */
  readonly after?: number
}

/** A kit to copy. The names in its label and files that start with `unique0` get numbers. */
export interface Template {
  readonly job: string
  readonly kit: string
  /** Undefined for a job without a submission. */
  readonly submission?: string
  readonly workspace?: string
}

export const UNIQUE_WORD = 'unique0'

/** Copies a kit with its job, submission, evidence, words, credits, events and leaf. */
export async function cloneKits(
  sql: BulkSql,
  template: Template,
  { count, isLean, after = 0 }: Clones,
): Promise<void> {
  const to = expressions(sql.is, count, after)
  const { job, kit, submission, workspace } = template
  const lean =
    isLean === true ? { receipt: `'{}'`, entries: `'[]'`, log_proof: `'-'`, downloads: `'{}'` } : {}
  const clone = (table: string, where: string, set: Readonly<Record<string, string>>): Promise<void> =>
    cloneRows(sql, { table, where, set, count })
  const times = { job_created_at: to.time, job_updated_at: to.time, created_at: to.time, updated_at: to.time }
  const ids = { submission_id: to.id('sub'), job_id: to.id('job'), kit_id: to.id('kit') }
  const opened = submission === undefined || workspace === undefined ? undefined : { submission, workspace }
  if (opened === undefined) await clone('submissions', `job_id = '${job}'`, { ...ids, ...times })
  const places = opened && (await placesOf(sql, opened, `subject in ('${job}', '${kit}', '${submission}')`))
  const ofSubmission = `submission_id = '${submission}'`
  if (places !== undefined)
    await clone('submissions', ofSubmission, {
      ...ids,
      ...times,
      sequence: places.sequence,
      label: to.numbered('t.label'),
      label_key: to.numbered('t.label_key'),
      external_id: to.numbered('t.external_id'),
    })
  const ofKit = `kit_id = '${kit}'`
  await clone('kits', ofKit, { kit_id: to.id('kit'), job_id: to.id('job'), issued_at: to.time, ...lean })
  await clone('log_leaves', ofKit, { leaf_id: to.leaf, leaf_index: to.leaf, kit_id: to.id('kit') })
  const ofObjects = `submission_id = (select submission_id from submissions where job_id = '${job}')`
  await clone('objects', ofObjects, { submission_id: to.id('sub'), object: to.sha256('t.object') })
  if (places === undefined || workspace === undefined) return
  const { row, events, eventAt, sequence, counted } = places
  const moves = await sequencesOf(sql, 'credit_ledger', ofSubmission)
  await clone('evidence', ofSubmission, {
    submission_id: to.id('sub'),
    name: to.numbered('t.name'),
    sha256: to.sha256('t.sha256'),
  })
  await clone(
    'submission_words',
    `workspace_id = '${workspace}' and sequence = ${Number(row?.['sequence'])}`,
    {
      sequence,
      word: to.numbered('t.word'),
    },
  )
  await clone('series_kits', ofKit, { kit_id: to.id('kit'), issued_at: to.time, sequence })
  await sql.all(`update series_counts set kits = kits + ${count} where workspace_id = '${workspace}'
    and series = (select series from submissions where ${ofSubmission})`)
  await clone('credit_ledger', ofSubmission, {
    sequence: placeOf(moves, Number(counted?.['ledger_entries']))('t.sequence'),
    submission_id: to.id('sub'),
    at: to.time,
  })
  const head = `'${String(counted?.['audit_head'])}'`
  await clone('audit_events', `subject in ('${job}', '${kit}', '${submission}')`, {
    sequence: eventAt('t.sequence'),
    at: to.time,
    subject: `case t.subject when '${job}' then ${to.id('job')} when '${kit}' then ${to.id('kit')} else ${to.id('sub')} end`,
    prev: head,
    hash: head,
  })
  await sql.all(`update workspaces set audit_events = audit_events + ${events.length * count},
    ledger_entries = ledger_entries + ${moves.length * count} where workspace_id = '${workspace}'`)
}

/** The newest events of a workspace, and where those of the copies of a submission follow. */
async function placesOf(
  sql: BulkSql,
  { submission, workspace }: { readonly submission: string; readonly workspace: string },
  ofEvents: string,
) {
  const [row] = await sql.all(`select sequence from submissions where submission_id = '${submission}'`)
  const events = await sequencesOf(sql, 'audit_events', ofEvents)
  const [counted] = await sql.all(`select * from workspaces where workspace_id = '${workspace}'`)
  const [newest] = await sql.all(
    `select max(sequence) as last from audit_events where workspace_id = '${workspace}'`,
  )
  const eventAt = placeOf(events, Number(newest?.['last']))
  return { row, events, eventAt, sequence: eventAt(`${Number(row?.['sequence'])}`), counted }
}

interface CloneRows {
  readonly table: string
  readonly where: string
  /** An expression for each column that differs, of `t`, the row, and `s.i`, the number of the copy. */
  readonly set: Readonly<Record<string, string>>
  readonly count: number
}

export async function cloneRows(sql: BulkSql, { table, where, set, count }: CloneRows): Promise<void> {
  const columns = await columnsOf(sql, table)
  const values = columns.map((name) => set[name] ?? `t."${name}"`)
  const numbers =
    sql.is === 'SQLite'
      ? `(with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count}) select i from numbers)`
      : `(select generate_series(1, ${count})::bigint as i)`
  await sql.all(`insert into ${table} (${columns.map((name) => `"${name}"`).join()})
    select ${values.join()} from ${numbers} as s cross join (select * from ${table} where ${where}) as t`)
}

/** In the order in which they were added. */
async function sequencesOf(sql: BulkSql, table: string, where: string): Promise<readonly number[]> {
  const rows = await sql.all(`select sequence from ${table} where ${where} order by sequence`)
  return rows.map((row) => Number(row['sequence']))
}

/** The copies of several rows with a sequence follow each other. */
const placeOf =
  (sequences: readonly number[], last: number) =>
  (column: string): string =>
    `${last} + (s.i - 1) * ${sequences.length} + case ${column} ${sequences
      .map((sequence, place) => `when ${sequence} then ${place + 1}`)
      .join(' ')} end`

export async function columnsOf(sql: BulkSql, table: string): Promise<readonly string[]> {
  const rows = await sql.all(
    sql.is === 'SQLite'
      ? `select name from pragma_table_info('${table}')`
      : `select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
  )
  return rows.map((row) => String(row['name']))
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** IDs and hashes are spread evenly, as random ones are, and ascend, so that indexes are filled in order. */
function expressions(is: BulkSql['is'], count: number, after: number) {
  const n = `(s.i + ${after})`
  const letter = (of: number): string =>
    after > 0 ? `'z'` : `substr('${LETTERS}', 1 + cast((s.i * ${of} / ${count + 1}) % 62 as int), 1)`
  const end = Date.now() / 1000 - 3600
  const seconds = after > 0 ? `${end}` : `${end - YEAR_SECONDS} + s.i * ${YEAR_SECONDS / count}`
  const start = after > 0 ? `(${n} * 2654435761) % 4294967296` : `${Math.floor(2 ** 32 / (count + 1))} * s.i`
  const [padded, hex, time] =
    is === 'SQLite'
      ? [
          (size: number) => `printf('%0${size}d', ${n})`,
          `printf('%08x', ${start})`,
          `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
        ]
      : [
          (size: number) => `lpad(${n}::text, ${size}, '0')`,
          `lpad(to_hex(${start}), 8, '0')`,
          `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        ]
  const id = `${letter(62)} || ${letter(62 ** 2)} || ${letter(62 ** 3)} || ${padded(24)}`
  return {
    leaf: `-${n}`,
    time,
    id: (prefix: string): string => `'${prefix}_' || ${id}`,
    sha256: (column: string): string => `${hex} || ${padded(16)} || substr(${column}, 1, 40)`,
    numbered: (column: string): string =>
      `replace(${column}, '${UNIQUE_WORD}', 'unique' || ${is === 'SQLite' ? n : `${n}::text`})`,
  }
}

/** Indexes are made again at the end, which is faster than keeping them up to date. */
export async function bulkPostgres(url: string, isRebuilding = true): Promise<BulkSql> {
  const client = new pg.Client({ connectionString: url })
  // Without a listener, a server that stops would end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query(`set session_replication_role = replica; set synchronous_commit = off`)
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
  const { rows: made } = await client.query<{ name: string; definition: string }>(
    `select i.indexname as name, i.indexdef as definition from pg_indexes i
      where i.schemaname = 'public' and i.indexdef not like 'CREATE UNIQUE%'`,
  )
  if (isRebuilding) for (const { name } of made) await client.query(`drop index ${name}`)
  return {
    is: 'PostgreSQL',
    all: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    [Symbol.asyncDispose]: async () => {
      if (isRebuilding) for (const { definition } of made) await client.query(definition)
      await client.query('analyze')
      await client.end()
    },
  }
}

/** Copies a row of each table that has one, but for the tables of kits and those named. Only on PostgreSQL. */
export async function cloneOthers(sql: BulkSql, except: readonly string[], count: number): Promise<void> {
  const tables = await sql.all(`select tablename as name from pg_tables where schemaname = 'public'`)
  for (const name of tables.map((row) => String(row['name']))) {
    if (except.includes(name) || OF_KITS.has(name)) continue
    // What identifies the row, and what it belongs to.
    const keys =
      await sql.all(`select a.attname as name, format_type(a.atttypid, null) as type from pg_attribute a
      where a.attrelid = '${name}'::regclass and a.attnum > 0 and not a.attisdropped
        and (a.attname like '%\\_id' or exists (select from pg_index i
          where i.indrelid = a.attrelid and i.indisunique and a.attnum = any(i.indkey)))`)
    const set = keys.map(({ name: column, type }): [string, string] => [
      String(column),
      type === 'text' ? `t."${String(column)}" || s.i::text` : `t."${String(column)}" + 1000 * s.i`,
    ])
    const [row] = await sql.all(`select ctid::text as at from ${name} limit 1`)
    if (row === undefined) continue
    const where = `ctid = '${String(row['at'])}'::tid`
    await cloneRows(sql, { table: name, where, set: { ...Object.fromEntries(set), ...ENDED[name] }, count })
  }
}

/** Most rows of a queue are done. */
const ENDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mails: { state: `'sent'`, ended_at: `'${new Date(Date.now() - 30 * 86_400_000).toISOString()}'` },
  resumable_uploads: { finished_at: 't.created_at' },
}

const OF_KITS: ReadonlySet<string> = new Set([
  'submissions',
  'kits',
  'objects',
  'log_leaves',
  'evidence',
  'submission_words',
  'series_kits',
  'credit_ledger',
  'audit_events',
])
