// Preloaded into each thread of a service. Counts statements and commits, and writes the sums into the folder BENCH_COUNTS.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'

const counts = { statements: 0, commits: 0 }
let inTransaction = false

/** `begin` and `commit` are no statements; a change outside a transaction is a commit. */
function count(source: string, changed: boolean): void {
  const text = source.trimStart().toLowerCase()
  if (text.startsWith('begin')) inTransaction = true
  else if (text.startsWith('commit') || text.startsWith('rollback')) {
    inTransaction = false
    if (text.startsWith('commit')) counts.commits += 1
  } else if (!text.startsWith('pragma') && !/^(savepoint|release)/.test(text)) {
    counts.statements += 1
    if (!inTransaction && changed && !text.startsWith('select')) counts.commits += 1
  }
}

type Method = (this: { readonly source: string }, ...args: unknown[]) => unknown

const memory = new BetterSqlite3(':memory:')
const statements = Object.getPrototypeOf(memory.prepare('select 1')) as Record<string, Method>
memory.close()
for (const name of ['get', 'all', 'run']) {
  const method = statements[name]
  if (method === undefined) throw new Error(`there is no ${name} to count`)
  statements[name] = function counted(...args) {
    const result = method.apply(this, args)
    count(this.source, (result as { readonly changes?: number } | undefined)?.changes !== 0)
    return result
  }
}

const client = pg.Client.prototype as unknown as Record<string, Method>
const { query } = client
if (query === undefined) throw new Error('there is no query to count')
client['query'] = function counted(...args) {
  const [first] = args
  count(typeof first === 'string' ? first : (first as { readonly text: string }).text, true)
  return query.apply(this, args)
}

const file = join(process.env['BENCH_COUNTS'] ?? '.', `${process.pid}-${threadId}.json`)
setInterval(() => {
  writeFileSync(`${file}.new`, JSON.stringify(counts))
  renameSync(`${file}.new`, file)
}, 50).unref()
