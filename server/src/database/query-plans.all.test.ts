// The plans of PostgreSQL depend on what is stored. So the queries are run again with many kits, and the rows they read are counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openStore } from '../open-store.ts'
import { bulkPostgres, cloneKits, cloneOthers } from '../../test/clone-kits.ts'
import { newEmptyDatabase } from '../../../test/kit/databases.ts'
import { postgresServer } from '../../../test/kit/postgres.ts'
import { QUEUES, SMALL } from '../../test/query-plans.ts'
import { samplePages } from '../../../test/kit/pages.ts'
import { testService } from '../../../test/kit/service.ts'
import { walkQueries } from '../../test/walk-queries.ts'

const KITS = 25_000
const OTHERS = 3000
/** More than a page. */
const MAX_ROWS = 6000

const MAX_SCANNED = 500

/** What reads more, by what its text contains. */
const MORE: readonly (readonly [part: string, rows: number, reason: string])[] = [
  ['submission_words', Infinity, 'every submission with a word'],
  ['"kits"."public_key_kid" = ', Infinity, 'a key is revoked: the number of its kits'],
  [' like ', Infinity, 'a text without a word is looked for in every label'],
]

interface Recorded {
  readonly text: string
  readonly values: readonly unknown[]
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

test('with many kits, queries on PostgreSQL read a page of an index, and with one index less some do not', async () => {
  await using server = await postgresServer()
  const url = await newEmptyDatabase(server.url)
  const recorded = await recordWalk(url)
  assert.ok(recorded.length > 150, `${recorded.length} statements`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    assert.deepEqual(await problemsOf(client, recorded), [])
    await client.query('drop index submissions_issued; drop index audit_events_of_subject')
    const affected = recorded.filter(({ text }) => /from "(submissions|audit_events)"/.test(text))
    const without = (await problemsOf(client, affected)).join('\n')
    assert.match(without, /from "submissions"/)
    assert.match(without, /from "audit_events"/)
  } finally {
    await client.end()
  }
})

/** What the service sends while it has a few of everything. Then there are many. */
async function recordWalk(url: string): Promise<readonly Recorded[]> {
  const byText = new Map<string, Recorded>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const asked = args[0] as string | { readonly text?: string; readonly values?: readonly unknown[] }
    if (typeof asked === 'object' && asked.text !== undefined)
      byText.set(formOf(asked.text), { text: asked.text, values: asked.values ?? [] })
    return (query as (...all: readonly unknown[]) => unknown).apply(this, [...args])
  } as typeof query
  using pages = samplePages()
  try {
    const service = await testService({ KITSEAL_DATABASE_URL: url }, undefined, { pages: pages.folder })
    try {
      await using store = await openStore(service.config)
      const { fixture } = await walkQueries(service, store)
      const { jobId: job, kitId: kit, submissionId: submission, owner } = fixture
      await service.service.stop()
      await using sql = await bulkPostgres(url)
      await cloneKits(sql, { job, kit, submission, workspace: owner.workspaceId }, { count: KITS })
      await cloneOthers(sql, Object.keys(SMALL), OTHERS)
    } finally {
      await service[Symbol.asyncDispose]()
    }
  } finally {
    pg.Client.prototype.query = query
  }
  return [...byText.values()].filter(({ text }) => /^\s*(select|with|update|delete)\b/i.test(text))
}

/** Lists of values have any length. */
const formOf = (text: string): string =>
  text.replaceAll(/\(\(?\$\d+\)?(, \(?\$\d+\)?)*\)/g, '(…)').replaceAll(/\$\d+/g, '?')

async function problemsOf(client: pg.Client, recorded: readonly Recorded[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { text, values } of recorded) {
    const most = MORE.find(([part]) => text.includes(part))?.[1] ?? MAX_ROWS
    // Without triggers, because what changes is rolled back.
    await client.query('begin; set local session_replication_role = replica')
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      // What was inserted once cannot be inserted again.
      `explain (${/\binsert into\b/i.test(text) ? '' : 'analyze, '}format json) ${text}`,
      [...values],
    )
    await client.query('rollback')
    for (const problem of nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan).flatMap((node) => problemOf(node, most)))
      problems.push(`${problem}: ${text.slice(0, 600)}`)
  }
  return problems
}

const nodesOf = (plan: Plan | undefined): readonly Plan[] =>
  plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

function problemOf(node: Plan, most: number): readonly string[] {
  const table = node['Relation Name']
  if (table === undefined || table in SMALL || (node['Index Name'] ?? '') in QUEUES || table in QUEUES)
    return []
  const each =
    (node['Actual Rows'] ?? node['Plan Rows']) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  const read = each * (node['Actual Loops'] ?? 1)
  // Of an empty table, or up to a limit, PostgreSQL reads a page without an index.
  if (node['Node Type'] === 'Seq Scan' && read > MAX_SCANNED && most !== Infinity) return [`scans ${table}`]
  return read > most ? [`reads ${read} rows of ${table}`] : []
}
