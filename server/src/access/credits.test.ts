import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from '../../test/each-database.ts'
import { insertWorkspace } from '../../test/insert-workspace.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { NewEvent } from '../audit/audit-trail.ts'
import { type CreditChange, moveCredits } from './credits.ts'

const workspaceId = 'ws_1' as WorkspaceId
const AT = '2026-01-01T00:00:00.000Z'

onEachDatabase((database) => {
  test('if one of several credits is missing, none moves', async () => {
    await using store = await database.create()
    const db = await workspaceWith(await store.open(), 5)
    await moveCredits(db, [change('hold')], [event('submission.sealed')])
    assert.equal(await moveCredits(db, [change('capture'), change('capture')], [passed(), passed()]), false)
    assert.deepEqual(await ledgerOf(db), [['hold', 1, 4]])
    assert.equal((await db.selectFrom('audit_events').selectAll().execute()).length, 1)
  })

  test('an unlimited workspace spends without a number, and its ledger still counts', async () => {
    await using store = await database.create()
    const db = await workspaceWith(await store.open(), 0)
    assert.equal(await moveCredits(db, [change('hold')], [passed()]), false)
    await db.updateTable('workspaces').set({ credits_unlimited: 1 }).execute()
    for (const _ of [1, 2]) assert.equal(await moveCredits(db, [change('hold')], [passed()]), true)
    assert.deepEqual(await ledgerOf(db), [
      ['hold', 1, 0],
      ['hold', 2, 0],
    ])
  })
})

const change = (kind: CreditChange['kind']): CreditChange => ({ workspaceId, kind, amount: 1, at: AT })
const event = (action: NewEvent['action']): NewEvent => {
  return { workspaceId, actor: { is: 'service' }, action, subject: 'sub_1', at: AT }
}
const passed = (): NewEvent => event('submission.passed')

async function workspaceWith(db: Db, credits: number): Promise<Db> {
  await insertWorkspace(db, workspaceId, { credits_available: credits })
  return db
}

async function ledgerOf(db: Db): Promise<readonly (readonly [string, number, number])[]> {
  const rows = await db.selectFrom('credit_ledger').selectAll().orderBy('sequence').execute()
  return rows.map(({ kind, sequence, available_after }) => [kind, Number(sequence), Number(available_after)])
}
