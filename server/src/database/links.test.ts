import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import type { Dialect } from './dialect.ts'
import { up } from './migrations/0021-links.ts'
import { up as addRecipients } from './migrations/0040-share-recipients.ts'
import { postgresDialect } from './postgres.ts'
import type { Database } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
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
    await insertWorkspace(db)
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

  test('the tokens of invitations move into the table of links, and open ones still work', async () => {
    await using store = await database.create()
    const db = await store.open()
    const dialect = database.name === 'SQLite' ? sqliteDialect : postgresDialect
    await insertWorkspace(db)
    await undo(db, dialect)
    const [open, accepted] = [makeSecret(), makeSecret()]
    await insertInvitation(db, 'inv_open', open.sha256, null)
    await insertInvitation(db, 'inv_used', accepted.sha256, '2026-05-01T01:00:00.000Z')
    await up(db as unknown as Kysely<unknown>, dialect)
    await addRecipients(db as unknown as Kysely<unknown>, dialect)
    const clock = { now: () => START }
    const found = await findLink(db, clock, 'invitation', open.text)
    assert.deepEqual([found?.subject_id, found?.link_id], ['inv_open', 'lnk_open'])
    assert.equal(await findLink(db, clock, 'invitation', accepted.text), undefined)
    const rows = await db.selectFrom('invitations').selectAll().orderBy('invitation_id').execute()
    assert.deepEqual(
      rows.map(({ email, accepted_at }) => [email, accepted_at]),
      [
        ['inv_open@a.example', null],
        ['inv_used@a.example', '2026-05-01T01:00:00.000Z'],
      ],
    )
    assert.ok(!('sha256' in (rows[0] ?? {})))
    const again = sql`update invitations set accepted_at = null`.execute(db)
    await assert.rejects(again, /an invitation is used once/)
  })
})

/** The tables as they were before the migration. */
async function undo(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  const untyped = db as unknown as Kysely<unknown>
  await dialect.dropGuard(untyped, { name: 'invitations_fixed', on: 'invitations' })
  for (const name of ['links_begin', 'links_fixed', 'links_recipient_fixed'])
    await dialect.dropGuard(untyped, { name, on: 'links' })
  await sql`drop table links`.execute(db)
  await sql`alter table share_accesses drop column link_id`.execute(db)
  await sql`alter table invitations add column sha256 text`.execute(db)
  await dialect.createGuard(untyped, {
    name: 'invitations_fixed',
    on: 'invitations',
    event: 'update',
    when: 'old.sha256 is distinct from new.sha256',
    message: 'fixed',
  })
}

async function insertWorkspace(db: Kysely<Database>): Promise<void> {
  await sql`insert into plans (plan, api_access, upload_limit_bytes, unpacked_limit_bytes, unpacked_files, unpacked_ratio,
      rate_per_minute, created_at, updated_at) values ('p', 1, 1, 1, 1, 1, 1, 't', 't')`.execute(db)
  await sql`insert into workspaces (workspace_id, name, plan, public_kits, credits_available, credits_held, ledger_entries,
    audit_events, created_at, updated_at) values ('ws_a', 'A', 'p', 1, 0, 0, 0, 0, 't', 't')`.execute(db)
}

async function insertInvitation(
  db: Kysely<Database>,
  id: string,
  sha256: string,
  acceptedAt: string | null,
): Promise<void> {
  await sql`insert into invitations (invitation_id, workspace_id, email, role, sha256, invited_by, created_at,
    expires_at, accepted_at) values (${id}, 'ws_a', ${`${id}@a.example`}, 'member', ${sha256}, 'operator', 't',
    ${EXPIRES}, ${acceptedAt})`.execute(db)
}
