import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { insertWorkspace } from '../../test/insert-workspace.ts'
import { randomIdentifiers, type WorkspaceId } from '../runtime/identifiers.ts'
import { createLink, findLink, readLink, revokeLinks } from './links.ts'
import { makeSecret } from './secret.ts'

const START = Date.parse('2026-05-01T00:00:00Z')
const EXPIRES = '2026-05-02T00:00:00.000Z'
const LINK = {
  workspaceId: 'ws_a' as WorkspaceId,
  purpose: 'share',
  subject: 'shr_a',
  expiresAt: EXPIRES,
} as const

onEachDatabase((database: EachDatabase) => {
  test('a link works until it expires or is revoked, for its purpose alone, and never again', async () => {
    await using store = await database.create()
    const db = await store.open()
    await insertWorkspace(db, LINK.workspaceId)
    let now = START
    const clock = { now: () => now }
    const ctx = { clock, identifiers: randomIdentifiers() }
    const first = await createLink(db, ctx, LINK)
    const second = await createLink(db, ctx, LINK)
    assert.match(first.token, /^[\w-]{43}$/)
    assert.equal((await findLink(db, clock, 'share', first.token))?.link_id, first.linkId)
    assert.equal((await findLink(db, clock, 'share', second.token))?.link_id, second.linkId)
    for (const token of [makeSecret().text, '', 'x'.repeat(10_000), undefined, first.linkId])
      assert.equal(await findLink(db, clock, 'share', token), undefined)
    assert.equal(await findLink(db, clock, 'request', first.token), undefined)

    now = Date.parse(EXPIRES)
    assert.equal(await findLink(db, clock, 'share', first.token), undefined)
    assert.equal((await readLink(db, 'share', first.token))?.expires_at, EXPIRES)
    now = START
    assert.equal(await revokeLinks(db, clock, { purpose: 'request', subject: LINK.subject }), 0)
    assert.equal(await revokeLinks(db, clock, LINK), 2)
    assert.equal(await revokeLinks(db, clock, LINK), 0)
    for (const { token } of [first, second])
      assert.equal(await findLink(db, clock, 'share', token), undefined)

    const stored = await db.selectFrom('links').selectAll().execute()
    assert.ok(!JSON.stringify(stored).includes(first.token))
    const revived = sql`update links set revoked_at = null`.execute(db)
    await assert.rejects(revived, /a revoked one stays revoked/)
    const other = sql`update links set purpose = 'anything'`.execute(db)
    await assert.rejects(other, /a link does not change/)
  })
})
