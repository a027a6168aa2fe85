import type BetterSqlite3 from 'better-sqlite3'

/** Tables that stay small, or whose rows are for one submission, request or person in every query. */
export const SMALL: Readonly<Record<string, string>> = {
  plans: 'set by the operator',
  workspaces: 'one per customer, read by upkeep and by the operator',
  signing_keys: 'one per rotation',
  private_keys: 'one per rotation',
  log: 'one row',
  log_witnesses: 'set by the operator',
  upkeep: 'one per task',
  schema_version: 'one row',
  webhook_keys: 'one per service',
  webhooks: 'a few per workspace; the sender looks for those that are behind',
}

/** Partial indexes with what is waiting only, which are read as a whole. */
export const QUEUES: Readonly<Record<string, string>> = {
  submissions_waiting: 'waiting jobs',
  submissions_passed: 'sealed kits that wait for the log',
  log_leaves_waiting: 'leaves that wait',
  submissions_with_uploads: 'submissions with an open upload',
  resumable_uploads_open: 'open uploads',
  resumable_uploads_claimed: 'uploads that a request writes to',
  requests_to_repeat: 'open requests with a schedule',
  holds: 'legal holds',
  log_checkpoints_time_stamped: 'its last entry',
}

/** Statements that sort what one owner has, or what the index of a rare filter found. */
const SORTS_FEW: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /from "(request_items|remarks|links|passkeys|sessions|federations|api_keys|invitations|members|webhooks)"/,
    'of one owner',
  ],
  [/from request_rounds as this/, 'the files of one request'],
  [/where "submission_id" = |where "resumable_uploads"\."submission_id" = /, 'of one submission'],
  [
    /"?submissions"?\."?status"? = 'PASS'|"status" = '(SUBMITTED|PASS)'|"state" (=|<>) 'pending'/,
    'of a queue',
  ],
  [/(submissions|rare)\.status <> 'ISSUED'|"submission_words"/, 'what a rare filter found'],
  [/from page join submissions|names/, 'one row for each name'],
]

export interface Finding {
  readonly statement: string
  readonly problem: string
}

/** Which statements read or sort a whole table. SQLite plans without statistics, so the plan holds for any number of rows. */
export function findScans(db: BetterSqlite3.Database, statements: Iterable<string>): readonly Finding[] {
  const findings: Finding[] = []
  for (const statement of statements) {
    const plan = db.prepare<[], { detail: string }>(`explain query plan ${statement}`).all()
    for (const { detail } of plan) {
      const problem = problemOf(statement, detail)
      if (problem !== undefined) findings.push({ statement, problem })
    }
  }
  return findings
}

/** All rows of a workspace, which can have most of the table. */
const OF_WORKSPACE =
  /^SEARCH (submissions|audit_events|credit_ledger|submission_words|series_kits)\b.* \(workspace_id=\?\)$/

function problemOf(statement: string, detail: string): string | undefined {
  if (detail.includes('AUTOMATIC')) return detail
  if (OF_WORKSPACE.test(detail) && !/^insert into "workspaces"|\blimit\b/.test(statement)) return detail
  if (/^USE TEMP B-TREE FOR (ORDER BY|GROUP BY|DISTINCT)/.test(detail)) {
    const isSmall = Object.keys(SMALL).some((table) => statement.includes(`from "${table}"`))
    return isSmall || SORTS_FEW.some(([pattern]) => pattern.test(statement)) ? undefined : detail
  }
  const [, table = '', index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? []
  if (
    table === '' ||
    detail.includes('VIRTUAL TABLE') ||
    table in SMALL ||
    index in QUEUES ||
    table in QUEUES
  )
    return undefined
  // Not a table: a constant, or a part of this statement. An insert also looks for rows that refer to a new one, if one may.
  const isNamed = new RegExp(`(from|join|update|into) "?${table}"?\\b`, 'i').test(statement)
  if (
    !isNamed ||
    new RegExp(
      `with recursive ${table}|\\) as ${table}\\b|\\b${table}"?(\\("?\\w+"?(, "?\\w+"?)*\\))? as (materialized )?\\(`,
    ).test(statement)
  )
    return undefined
  // The first page of a backup.
  if (new RegExp(`^select \\* from "${table}" +order by [^()]+ limit \\d+$`).test(statement)) return undefined
  return detail
}

/** One statement of each form, whatever its values. */
export class StatementRecorder {
  readonly #byForm = new Map<string, string>()

  readonly record = (statement: string): void => {
    if (!/^\s*(select|with|update|delete|insert)\b/i.test(statement)) return
    const form = statement
      .replaceAll(/'(?:[^']|'')*'/g, '?')
      .replaceAll(/\b\d+(\.\d+)?\b/g, '?')
      .replaceAll(/\(\?(, \?)*\)(, \(\?(, \?)*\))*/g, '(?)')
    if (!this.#byForm.has(form)) this.#byForm.set(form, statement)
  }

  statements(): readonly string[] {
    return [...this.#byForm.values()]
  }
}
