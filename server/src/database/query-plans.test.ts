import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import BetterSqlite3 from 'better-sqlite3'
import { openStore } from '../open-store.ts'
import { findScans, StatementRecorder } from '../../test/query-plans.ts'
import { samplePages } from '../../../test/kit/pages.ts'
import { onPostgres } from '../../../test/kit/databases.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { walkQueries } from '../../test/walk-queries.ts'

const options = { skip: onPostgres && '1 is for PostgreSQL' }
const recorder = new StatementRecorder()
const pages = samplePages()
let service: TestService
before(async () => {
  if (onPostgres) return
  service = await testService({}, undefined, { pages: pages.folder, onStatement: recorder.record })
  await using store = await openStore(service.config, { onStatement: recorder.record })
  await walkQueries(service, store)
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

/** With the planner's settings of the service. */
function opened(): BetterSqlite3.Database {
  const db = new BetterSqlite3(join(service.dataFolder, 'kitseal.sqlite'))
  db.pragma('automatic_index = off')
  return db
}

const listed = (findings: ReturnType<typeof findScans>) =>
  findings.map(({ statement, problem }) => `${problem}\n  ${statement.slice(0, 1500)}`).join('\n')

test(
  'no query of a page, a list, a feed, a search or an upkeep task reads or sorts a whole table',
  options,
  () => {
    using db = disposable(opened())
    assert.ok(recorder.statements().length > 200, `${recorder.statements().length} statements`)
    assert.equal(listed(findScans(db.value, recorder.statements())), '')
  },
)

for (const [index, table] of [
  ['submissions_waiting', 'submissions'],
  ['objects_erased', 'objects'],
  ['submissions_by_label', 'submissions'],
  ['idempotency_age', 'idempotency'],
] as const)
  test(`without the index ${index} a query reads or sorts all of ${table}`, options, () => {
    using db = disposable(opened())
    db.value.exec('begin')
    db.value.exec(`drop index ${index}`)
    const findings = findScans(db.value, recorder.statements())
    db.value.exec('rollback')
    assert.ok(findings.length > 0)
  })

function disposable(value: BetterSqlite3.Database) {
  return { value, [Symbol.dispose]: () => void value.close() }
}
