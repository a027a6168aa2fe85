import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Kysely } from 'kysely'
import { onEachDatabase, type EmptyDatabase } from '../../test/each-database.ts'
import { marksIn } from '../../test/test-places.ts'
import { systemClock } from '../runtime/clock.ts'
import { makeChanges } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { fileKeys } from '../keys/file-signer.ts'
import { readFrozen } from './freeze-log.ts'
import { readLog } from './log-key.ts'
import type { LogHead } from './log-mark.ts'
import { type MarkGuard, markGuard } from './mark-guard.ts'
import { transparencyLog, type TransparencyLog } from './transparency-log.ts'

let folder: string
let store: EmptyDatabase
let db: Kysely<Database>
let log: TransparencyLog

const LIVE = { owner: 'live', isGone: () => false }
/** A process that started after the others had ended. */
const RESTARTED = { owner: 'restarted', isGone: () => true }
const guardOf = (self: typeof LIVE): MarkGuard => markGuard(db, marksIn(folder), systemClock, self)

function openLog(self: typeof LIVE): TransparencyLog {
  const providers = [fileKeys({ directory: join(folder, 'keys') })] as const
  return transparencyLog({ db, clock: systemClock, providers, marks: marksIn(folder), self })
}

let appended = 0
async function grow(by = log): Promise<void> {
  await db
    .insertInto('log_leaves')
    .values({ leaf: `leaf ${(appended += 1)}`, kit_id: null })
    .execute()
  await by.sequence()
}

async function headOf(): Promise<LogHead> {
  const { size, root } = (await readLog(db)) ?? { size: 0, root: '' }
  return { size, root }
}

const ALWAYS = { text: '1 = 1', parameters: [] }

/** A head with other leaves. */
const other = (size: number): LogHead => ({ size, root: Buffer.alloc(32, 7).toString('base64') })

onEachDatabase((database) => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kitseal-announced-'))
    store = await database.create()
    db = await store.open()
    log = openLog(LIVE)
    await log.ensure('issuer.example/log')
    await grow()
    await log.checkpoint()
  })
  afterEach(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  test('a process that ended before its commit does not freeze the log, and its head does not count', async () => {
    const before = await headOf()
    await guardOf(LIVE).announce(before, other(before.size + 1))
    const restarted = openLog(RESTARTED)
    assert.equal(await restarted.check(), undefined)
    await grow(restarted)
    await restarted.checkpoint()
    assert.equal((await headOf()).size, before.size + 1)
    assert.equal(await readFrozen(db), undefined)
  })

  test('a process that ended after its commit, before it recorded it, does not freeze the log', async () => {
    const { atOnce } = log
    assert.ok(atOnce !== undefined)
    const before = await headOf()
    const leaves = [{ kitId: null as never, leaf: 'its leaf' }]
    await atOnce.extendWith(leaves, ({ growth, leaves: inserted }) =>
      transact(db, (trx) => makeChanges(trx, [growth(ALWAYS), inserted])),
    )
    const restarted = openLog(RESTARTED)
    assert.equal(await restarted.check(), undefined)
    await grow(restarted)
    await restarted.checkpoint()
    assert.equal((await headOf()).size, before.size + 2)
  })

  test('a head is not announced while another process is about to commit one, and is when that is withdrawn', async () => {
    const before = await headOf()
    const [one, two] = [guardOf(LIVE), guardOf({ owner: 'another', isGone: () => false })]
    await one.announce(before, other(before.size + 1))
    await assert.rejects(two.announce(before, other(before.size + 2)), { name: 'Overtaken' })
    await one.withdraw(other(before.size + 1))
    await two.announce(before, other(before.size + 2))
  })

  test('a copy of the database that records what this one does not have freezes it', async () => {
    const before = await headOf()
    const [copy, guard] = [guardOf({ owner: 'copy', isGone: () => false }), guardOf(LIVE)]
    await copy.announce(before, other(before.size + 1))
    await copy.confirm(before, other(before.size + 1))
    await assert.rejects(guard.announce(before, other(before.size + 2)), { name: 'LogFrozen' })
    assert.match((await readFrozen(db))?.reason ?? '', /but 2 were signed/)
  })

  test('a roll-back of what was announced and recorded freezes the log', async () => {
    const before = await headOf()
    const guard = guardOf(LIVE)
    const to = other(before.size + 1)
    await guard.announce(before, to)
    await guard.confirm(before, to)
    // The database never had it, as after a restore.
    assert.match(
      (await openLog(RESTARTED).check())?.reason ?? '',
      /has 1 leaves of the log, but 2 were signed/,
    )
  })

  test('before the first entry of the mark, nothing is announced', async () => {
    await db.updateTable('log').set({ marked: 0 }).execute()
    const before = await headOf()
    await assert.rejects(guardOf(LIVE).announce(before, other(before.size + 1)), { name: 'Overtaken' })
  })

  test('a transaction that fails leaves no trace in the log', async () => {
    const { atOnce } = log
    assert.ok(atOnce !== undefined)
    const before = await headOf()
    const failing = atOnce.extendWith([{ kitId: null as never, leaf: 'no leaf' }], ({ growth }) =>
      transact(db, async (trx) => {
        await makeChanges(trx, [growth(ALWAYS)])
        throw new Error('the transaction failed')
      }),
    )
    await assert.rejects(failing, /the transaction failed/)
    assert.deepEqual(await headOf(), before)
    assert.equal(await openLog(RESTARTED).check(), undefined)
  })
})
