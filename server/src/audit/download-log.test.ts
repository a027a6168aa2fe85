import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { type Log, jsonLog } from '../runtime/logger.ts'
import { downloadLog } from './download-log.ts'
import { newWorkspace } from '../../test/new-workspace.ts'

const clock = { now: () => Date.parse('2026-03-01T12:00:00.000Z') }
const anyone = { caller: { is: 'anyone' }, ip: '192.0.2.1' } as const
const subject = 'kit_1' as KitId

onEachDatabase((database: EachDatabase) => {
  test('downloads that could not be recorded are recorded later, with their time', async () => {
    await using store = await database.create()
    const db = await store.open()
    const workspaceId = await newWorkspace(db, clock)
    const lines: string[] = []
    const log: Log = jsonLog('error', { write: (text: string) => lines.push(text) }, clock)
    let fails = true
    const failing = new Proxy(db, {
      get: (target, name) => {
        if (name === 'transaction' && fails) throw new Error('read-only')
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const downloads = downloadLog({ db: failing, clock, log, rateLimit: { is: 'off' } })
    const file = { workspaceId, subject, start: 0, end: 10 }
    await downloads.record(anyone, { ...file, name: 'first' })
    assert.match(lines.join(''), /downloads not recorded yet/)
    fails = false
    await downloads.record(anyone, { ...file, name: 'second' })
    await downloads.stop()
    const rows = await db
      .selectFrom('audit_events')
      .select(['sequence', 'actor', 'details'])
      .where('action', '=', 'deliverable.downloaded')
      .orderBy('sequence')
      .execute()
    assert.deepEqual(
      rows.map(({ actor, details }) => [actor, (JSON.parse(details) as { name: string }).name]),
      [
        ['anonymous', 'first'],
        ['anonymous', 'second'],
      ],
    )
  })
})
