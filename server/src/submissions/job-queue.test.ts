import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../runtime/clock.ts'
import { openSqlite } from '../database/sqlite.ts'
import { randomIdentifiers, type WorkspaceId } from '../runtime/identifiers.ts'
import { newJob } from './create-submission.ts'
import { watchQueue } from './job-queue.ts'

test('a long queue of a workspace lengthens the Retry-After of its jobs, and no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-queue-'))
  const db = await openSqlite(join(folder, 'kitseal.sqlite'))
  const identifiers = randomIdentifiers()
  const queue = watchQueue(db, { most: 1000 })
  assert.equal(queue.retryAfter(null), '1')
  const request = {
    tenant_id: 'tenant',
    scope_label: 'scope',
    status: 'SUBMITTED',
    workspace_id: null,
  } as const
  const jobs = Array.from({ length: 120 }, () => newJob({ identifiers, clock: systemClock }, request, null))
  await db.insertInto('submissions').values(jobs).execute()
  await queue.count()
  assert.equal(queue.retryAfter(null), '3')
  assert.equal(queue.retryAfter('ws_other' as WorkspaceId), '1')
  await db.updateTable('submissions').set({ status: 'FAIL' }).execute()
  await queue.count()
  assert.equal(queue.retryAfter(null), '1')
  await db.destroy()
  rmSync(folder, { recursive: true })
})
