import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Kysely } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import type { Database } from '../database/schema.ts'
import { timestamp } from '../runtime/clock.ts'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from './create-submission.ts'
import { sweep } from './expire-drafts.ts'

const HOUR = 3_600_000
const identifiers = randomIdentifiers()
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
let db: Kysely<Database>

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
  })
  beforeEach(() => (clock.time += HOUR))
  after(() => store[Symbol.asyncDispose]())

  test('a draft expires at its expiry time and not earlier', async () => {
    const request = { tenant_id: 't', scope_label: 's', status: 'DRAFT', workspace_id: null } as const
    const { job_id, ...job } = newJob({ clock, identifiers }, request, timestamp(clock.time + HOUR))
    await db
      .insertInto('submissions')
      .values({ job_id, ...job })
      .execute()
    assert.equal((await sweep(db, clock)).draftsExpired, 0)
    clock.time += HOUR
    assert.equal((await sweep(db, clock)).draftsExpired, 1)
    const row = await db
      .selectFrom('submissions')
      .select('status')
      .where('job_id', '=', job_id)
      .executeTakeFirst()
    assert.equal(row?.status, 'EXPIRED')
  })

  test('idempotent responses are kept for a day', async () => {
    const response = {
      scope: 's',
      key: 'k',
      request_hash: '',
      status: 202,
      body: '{}',
      created_at: timestamp(clock.now()),
    }
    await db.insertInto('idempotency').values(response).execute()
    clock.time += 24 * HOUR - 1
    assert.equal((await sweep(db, clock)).answersForgotten, 0)
    clock.time += 1
    assert.equal((await sweep(db, clock)).answersForgotten, 1)
  })
})
