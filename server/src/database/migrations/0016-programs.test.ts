import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase } from '../../../test/each-database.ts'
import { migrate, MIGRATIONS } from '../migrate.ts'
import { postgresDialect } from '../postgres.ts'
import { sqliteDialect } from '../sqlite.ts'

onEachDatabase((database) => {
  const dialect = database.name === 'SQLite' ? sqliteDialect : postgresDialect

  test('a request that repeats becomes a program, which asks for its items again; others stay requests', async () => {
    await using store = await database.createUnmigrated()
    const before = await store.openUnmigrated()
    const earlier = MIGRATIONS.filter(([name]) => name < '0016')
    await migrate(before, dialect, earlier)
    const at = '2026-01-01T00:00:00.000Z'
    await sql`insert into plans (plan, api_access, upload_limit_bytes, unpacked_limit_bytes, unpacked_files,
      unpacked_ratio, rate_per_minute, created_at, updated_at) values ('p', 1, 1, 1, 1, 1, 1, ${at}, ${at})`.execute(
      before,
    )
    await sql`insert into workspaces (workspace_id, name, plan, credits_available, credits_held, ledger_entries,
      audit_events, created_at, updated_at) values ('ws_a', 'Acme', 'p', 0, 0, 0, 0, ${at}, ${at})`.execute(
      before,
    )
    const request = async (
      id: string,
      sequence: number,
      row: { repeat?: string; series?: string; next?: string; closed?: string },
    ): Promise<void> => {
      await sql`insert into requests (request_id, workspace_id, sequence, title, message, due_at, repeat, series,
        recipients, round, created_by, created_at, updated_at, next_request_id, closed_at)
        values (${id}, 'ws_a', ${sequence}, 'Review', 'Please.', '2026-11-30T23:59:59.000Z', ${row.repeat ?? null},
          ${row.series ?? null}, '["bob@supplier.example"]', 0, 'member:mem_a', ${at}, ${at}, ${row.next ?? null},
          ${row.closed ?? null})`.execute(before)
      await sql`insert into request_items (request_id, item_id, position, title, due_at) values
        (${id}, 'A', 0, 'Accounts', '2026-11-20T23:59:59.000Z'), (${id}, 'B', 1, 'Backups', null)`.execute(
        before,
      )
    }
    await request('evr_once', 1, {})
    await request('evr_monthly', 2, { repeat: 'monthly', series: 'Monthly review' })
    await request('evr_quarterly', 3, { repeat: 'quarterly' })
    await request('evr_same', 4, { repeat: 'yearly', series: 'Monthly review' })
    await request('evr_repeated', 5, { repeat: 'monthly', next: 'evr_monthly' })
    await request('evr_closed', 6, { repeat: 'monthly', closed: at })

    const db = await store.open()
    const programs = await db
      .selectFrom('programs')
      .select(['program_id', 'name', 'series', 'cadence', 'starts_on', 'next_on', 'created_by'])
      .orderBy('sequence')
      .execute()
    const common = {
      name: 'Review',
      starts_on: '2026-11-30',
      next_on: '2026-11-30',
      created_by: 'member:mem_a',
    }
    assert.deepEqual(programs, [
      { ...common, program_id: 'prg_monthly', series: 'Monthly review', cadence: 'monthly' },
      { ...common, program_id: 'prg_quarterly', series: 'Review', cadence: 'quarterly' },
      { ...common, program_id: 'prg_same', series: 'Monthly review 2', cadence: 'yearly' },
    ])
    const items = await db
      .selectFrom('program_items')
      .select(['item_id', 'source', 'recipients', 'due_days'])
      .where('program_id', '=', programs[0]?.program_id ?? ('' as never))
      .orderBy('position')
      .execute()
    assert.deepEqual(items, [
      { item_id: 'A', source: 'request', recipients: '["bob@supplier.example"]', due_days: 20 },
      { item_id: 'B', source: 'request', recipients: '["bob@supplier.example"]', due_days: 30 },
    ])
    const { count } = await db
      .selectFrom('requests')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 6)
    await assert.rejects(sql`select repeat from requests`.execute(db))
  })
})
