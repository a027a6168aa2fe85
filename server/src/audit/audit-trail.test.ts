import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditEventHash } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { sql } from 'kysely'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { systemClock } from '../runtime/clock.ts'
import { chainedEvent } from '../database/audit-chain.ts'
import type { AuditEventsTable, Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { logHeads } from './audit-heads.ts'
import { readEvents } from './audit-log.ts'
import { type NewEvent, recordEvent, recordEvents } from './audit-trail.ts'
import { newWorkspace } from '../../test/new-workspace.ts'

const AT = '2026-01-31T12:00:00.000Z'

const event = (workspaceId: WorkspaceId, subject: string): NewEvent => ({
  workspaceId,
  actor: { is: 'service' },
  action: 'workspace.changed',
  subject,
  details: { text: 'Zürich \ud800' },
  at: AT,
})

/** Checks the chain from the first event on. */
async function assertChained(db: Db, id: WorkspaceId): Promise<readonly AuditEventsTable[]> {
  const rows = await readEvents(db, id, { after: 0, order: 'asc', limit: 10_000 })
  let prev = rows[0]?.prev ?? ''
  for (const [index, row] of rows.entries()) {
    assert.equal(row.sequence, index + 1)
    assert.equal(row.prev, prev)
    assert.equal(row.hash, auditEventHash(chainedEvent(row, prev), nodeHost.digest))
    prev = row.hash
  }
  const { audit_events } = await db
    .selectFrom('workspaces')
    .select('audit_events')
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(audit_events, rows.length)
  return rows
}

onEachDatabase((database: EachDatabase) => {
  test('concurrent events of a workspace form one chain without gaps', async () => {
    await using store = await database.create()
    const db = await store.open()
    const ids = [await newWorkspace(db), await newWorkspace(db)] as const
    const writes = Array.from({ length: 60 }, (_, index) =>
      transact(db, async (trx) => {
        if (index % 3 === 0)
          return recordEvents(
            trx,
            ids.map((id) => event(id, `batch ${index}`)),
          )
        await recordEvent(trx, event(ids[index % 2]!, `${index}`))
        if (index % 10 === 7) throw new Error('rolled back')
      }).catch((error: unknown) => assert.equal(String(error), 'Error: rolled back')),
    )
    await Promise.all(writes)
    for (const id of ids) assert.ok((await assertChained(db, id)).length > 20)
  })

  test('the database refuses events that change, go or do not follow the newest one', async () => {
    await using store = await database.create()
    const db = await store.open()
    const id = await newWorkspace(db)
    const [first, second] = await assertChained(db, id)
    for (const change of [
      sql`update audit_events set subject = 'other'`,
      sql`update audit_events set hash = ${first!.hash}`,
      sql`update audit_events set hash = null`,
      sql`delete from audit_events`,
    ])
      await assert.rejects(change.execute(db), /only added/)
    const next = { ...second!, sequence: second!.sequence + 1 }
    const gap = { ...next, sequence: next.sequence + 1, prev: second!.hash }
    const unchained = { ...next, prev: null, hash: null } as unknown as AuditEventsTable
    for (const row of [{ ...next, prev: first!.hash }, gap, unchained])
      await assert.rejects(db.insertInto('audit_events').values(row).execute(), /follows the newest/)
    await db
      .insertInto('audit_events')
      .values({ ...next, prev: second!.hash })
      .execute()
  })

  test('the head of each audit log that has grown is logged once', async () => {
    await using store = await database.create()
    const db = await store.open()
    const id = await newWorkspace(db)
    const ctx = { db, clock: systemClock }
    assert.deepEqual([await logHeads(ctx), await logHeads(ctx)], [1, 0])
    await transact(db, (trx) => recordEvent(trx, event(id, 'x')))
    const twice = await Promise.all([logHeads(ctx), logHeads(ctx)])
    assert.equal(twice[0] + twice[1], 1)
    const leaves = await db.selectFrom('log_leaves').select('leaf').execute()
    assert.equal(leaves.filter(({ leaf }) => leaf.includes('"kind":"audit"')).length, 2)
    assert.ok(leaves.every(({ leaf }) => !leaf.includes(id)))
  })
})
