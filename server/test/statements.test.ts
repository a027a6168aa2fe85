// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onPostgres } from '../../test/kit/databases.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

// Each statement is a round trip to the database. A change that needs more of them must update these numbers and say why.
/** The key, the number of the event, and then submission, event and words: PostgreSQL inserts them in one statement. */
const CREATE = onPostgres ? 3 : 5
/** Among them: the objects of the upload and of the kit, the task, which is queued and claimed at once, what is needed to seal, what passes the kit with its leaf and the tree, and what issues it. Kits that pass together share statements. */
const UPLOAD_AND_WORK = onPostgres ? 13 : 24
/** The key, and the submission with its evidence. */
const POLL = 2

/** Periodic statements, independent of submissions. */
const PERIODIC = [
  /^select count\(\*\) as "waiting"/,
  // The time, once a second.
  /clock_timestamp/,
  // The key set, twice a second.
  /from "signing_keys" order by/,
  /from "idempotency"/,
  /"expires_at" <=/,
  /"upkeep"|"daily_counts"|from "objects"|"retention_days" is not null/,
  /set "last_used_at"/,
  // Webhooks with new events, once a second.
  /from "mails"|from "webhooks"/,
  // The search for kits and leaves that another process has left.
  /"passed_kit_id"|^select "leaf_id" from "log_leaves"/,
  // What is due.
  /^with "known"/,
  // 1 counts commits.
  /^(begin|commit)/,
]
const CLAIM = /^with "picked" as/

const seen: string[] = []
let service: TestService
let client: WorkspaceClient

before(async () => {
  // Long enough that no lease is renewed on a slow machine.
  const settings = {
    KITSEAL_WORKERS: '1',
    TEST_LEASE_SECONDS: '3600',
    TEST_SCRUB_BYTES_PER_SECOND: '0',
  }
  service = await testService(settings, undefined, (text) => seen.push(text))
  client = await workspaceClient(service)
  const first = await client.submission()
  await client.upload(first, form({ 'a.txt': 'the first one' }))
  await client.ended(first)
  await issued(1)
})
after(() => service[Symbol.asyncDispose]())

test(`a small submission needs ${CREATE + UPLOAD_AND_WORK} SQL statements`, async () => {
  seen.length = 0
  const id = await client.submission()
  const creation = statementsOf().filter((text) => !CLAIM.test(text))
  assert.equal(creation.length, CREATE, creation.join('\n'))

  seen.length = 0
  await client.upload(id, form({ 'a.txt': 'evidence' }))
  await issued(2)
  // An idle worker polls for jobs once a second.
  const rest = statementsOf().filter((text) => !CLAIM.test(text))
  assert.equal(rest.length, UPLOAD_AND_WORK, rest.join('\n'))
})

test(`a poll needs ${POLL} SQL statements`, async () => {
  const id = await client.submission()
  seen.length = 0
  await client.get(`/v1/submissions/${id}`)
  const poll = statementsOf().filter((text) => !CLAIM.test(text))
  assert.equal(poll.length, POLL, poll.join('\n'))
})

const statementsOf = (): readonly string[] =>
  seen.filter((text) => !PERIODIC.some((pattern) => pattern.test(text)))

/** Read from the log, because polling would add statements. */
async function issued(kits: number): Promise<void> {
  while (service.log().split('"kit issued"').length <= kits)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
