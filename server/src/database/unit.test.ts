import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createTable } from './create-schema.ts'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { Refusal } from '../refusals.ts'
import { column, sealed, table } from './table.ts'
import type { Db } from './schema.ts'
import { type Unit, Units } from './unit.ts'

const notes = table('notes', {
  note_id: column.id('nte'),
  text: column.text(),
  secret: column.sealed().nullable(),
  is_done: column.boolean().default(false),
  created_at: column.created(),
  updated_at: column.updated(),
}).missing('share_not_found', 'No such note.')

const ACTING = { actor: { is: 'service' } } as const

onEachDatabase((database: EachDatabase) => {
  let db: Db
  let units: Units
  let now = Date.parse('2026-11-19T00:00:00Z')
  let store: Awaited<ReturnType<EachDatabase['create']>>
  before(async () => {
    store = await database.create()
    db = await store.open()
    await createTable(db, notes)
    let count = 0
    units = new Units({
      db,
      clock: { now: () => now },
      cipher: { seal: (text, place) => `${place} ${text}`, open: (stored) => stored.split(' ').at(-1) },
      id: (prefix) => `${prefix}_${(count += 1)}`,
      record: async () => 1,
      queue: async () => {},
    })
  })
  after(() => store[Symbol.asyncDispose]())

  const write = <T>(work: (unit: Unit) => Promise<T>): Promise<T> => units.write(ACTING, 'test', work)

  test('a row is returned as it was inserted, and its secret is stored for its place alone', async () => {
    const made = await write((unit) => unit.insert(notes, { text: 'one', secret: sealed('s') }))
    now += 1000
    const changed = await write((unit) => unit.update(notes, made.note_id, { is_done: true }))
    assert.deepEqual([changed.text, changed.is_done, changed.secret?.reveal()], ['one', true, 's'])
    assert.ok(changed.updated_at > made.updated_at)
    const { rows } = await sql<{ secret: string }>`select secret from notes`.execute(db)
    assert.deepEqual(rows, [{ secret: `notes/${made.note_id}/secret s` }])
    assert.ok(!JSON.stringify(changed).includes('"s"'))
  })

  test('of units that commit together, one that fails takes nothing back from the others', async () => {
    const results = await Promise.allSettled(
      ['a', 'refuse', 'b'].map((text) =>
        write(async (unit) => {
          await unit.insert(notes, { text })
          if (text === 'refuse') throw new Refusal('share_not_found', 'No.')
        }),
      ),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    const { rows } = await sql`select text from notes where text in ('a', 'b', 'refuse')`.execute(db)
    assert.equal(rows.length, 2)
  })

  test('a row that is not there is a refusal', async () => {
    await assert.rejects(
      write((unit) => unit.rows(notes, {}).lock('nte_0')),
      { code: 'share_not_found' },
    )
  })

  test('a unit cannot be used after its commit', async () => {
    let kept: Unit | undefined
    await write(async (unit) => void (kept = unit))
    await assert.rejects(async () => kept?.insert(notes, { text: 'late' }), /after it had ended/)
  })

  if (database.name === 'SQLite')
    test('a unit that awaits something else is caught, and changes nothing', async () => {
      await assert.rejects(
        write(async (unit) => {
          await unit.insert(notes, { text: 'slow' })
          await new Promise((resolve) => setTimeout(resolve, 5))
        }),
        /awaits something other than the database/,
      )
      const { rows } = await sql`select text from notes where text = 'slow'`.execute(db)
      assert.equal(rows.length, 0)
    })
})
