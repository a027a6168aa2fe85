// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newEmptyDatabase } from '../../../test/kit/databases.ts'
import { sharedPostgres } from '../../../test/kit/postgres.ts'
import { testService } from '../../../test/kit/service.ts'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'
import { type Config, readConfig } from '../settings/config.ts'
import { resumeLog } from '../log/resume-log.ts'
import { openStore } from '../open-store.ts'
import { moveStore } from './move-store.ts'
import type { Progress } from './progress.ts'
import { rowsOf } from './records.ts'
import { TABLES } from './tables.ts'

test('a store moves from SQLite to PostgreSQL and back, with every record, object, key and kit', async () => {
  await using postgres = await sharedPostgres()
  await using places = await tempPlaces()
  const marks = { KITSEAL_LOG_MARK: places.marks }
  const embedded = { ...marks, KITSEAL_DATA: places.embedded }
  const database = await newEmptyDatabase(postgres.url)
  const shared = {
    ...marks,
    KITSEAL_DATA: places.node,
    KITSEAL_DATABASE_URL: database,
    KITSEAL_OBJECTS: places.objects,
  }
  const back = { ...marks, KITSEAL_DATA: places.back }
  let receipt = ''
  {
    await using service = await testService({ ...NOTHING, ...embedded })
    const acme = await workspaceClient(service)
    const id = await acme.submission()
    await acme.upload(id, form({ 'policy.txt': 'policy text' }))
    const kitId = String((await acme.ended(id))['kit_id'])
    receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).bytes.toString()
  }
  const progress: Progress[] = []
  const there = await moveStore(configOf(embedded), configOf(shared), (each) => progress.push(each))
  assert.deepEqual([there.kits.problems, there.kits.verified], [[], 1])
  assert.deepEqual(
    [...new Set(progress.map(({ step }) => step))],
    ['Verifying kits before the move', 'Copying objects', 'Writing records', 'Verifying kits'],
  )
  assert.equal(progress.findLast(({ step }) => step === 'Copying objects')?.done, there.objects)
  {
    await using service = await testService({ ...NOTHING, ...shared })
    await resume(shared)
    await service.issue()
    await assert.rejects(
      moveStore(configOf(shared), configOf(back)),
      /A node is connected to the database of the source\. Stop every node first/,
    )
  }
  const before = await recordsOf(shared)
  const returned = await moveStore(configOf(shared), configOf(back))
  assert.deepEqual([returned.kits.problems, returned.kits.verified], [[], 2])
  assert.deepEqual(await recordsOf(back), before)
  await using service = await testService({ ...NOTHING, ...back })
  assert.equal((await service.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  await resume(back)
  await service.issue()
})

test('nothing is written to the database of the source while it is moved, and it is unlocked after a failure', async () => {
  await using postgres = await sharedPostgres()
  await using places = await tempPlaces()
  const database = await newEmptyDatabase(postgres.url)
  const shared = {
    KITSEAL_DATA: places.node,
    KITSEAL_DATABASE_URL: database,
    KITSEAL_OBJECTS: places.objects,
  }
  const { lockedSnapshot } = await import('./snapshot.ts')
  const { postgresWithoutTimeouts } = await import('../database/postgres.ts')
  await using other = postgresWithoutTimeouts(database)
  const write = () => sql`insert into unsubscribes select 'w', 'e', 't' where false`.execute(other)
  {
    await using _ = await withoutApplicationName(other, () => lockedSnapshot(database))
    await sql`set lock_timeout = 100`.execute(other)
    await assert.rejects(write(), /lock timeout/)
  }
  await write()
  await assert.rejects(moveStore(configOf(shared), configOf(shared)), /The target is the source/)
  await assert.rejects(
    moveStore(configOf({ KITSEAL_DATA: join(places.node, 'nothing') }), configOf(shared)),
    /has no database to move/,
  )
})

/** Another tool may be connected; a node may not. */
async function withoutApplicationName<T extends AsyncDisposable>(
  other: Parameters<ReturnType<typeof sql>['execute']>[0],
  open: () => Promise<T | undefined>,
): Promise<T> {
  await sql`set application_name = 'psql'`.execute(other)
  const opened = await open()
  assert.ok(opened !== undefined)
  return opened
}

/** Settings of the test run do not apply. */
const NOTHING = { KITSEAL_DATABASE_URL: undefined, KITSEAL_OBJECTS: undefined }

const UNFROZEN = { frozen_at: null, frozen_reason: null }

/** Everything except that the log is frozen. */
async function recordsOf(settings: Settings): Promise<Readonly<Record<string, readonly object[]>>> {
  await using store = await openStore(configOf(settings))
  const records: Record<string, object[]> = {}
  for (const table of TABLES) {
    records[table.name] = []
    for await (const page of rowsOf(store.db, table))
      for (const row of page) records[table.name]?.push(Object.assign(row, UNFROZEN))
  }
  return records
}

async function resume(settings: Settings): Promise<void> {
  await using store = await openStore(configOf(settings))
  assert.equal((await resumeLog(store, {})).is, 'resumed')
}

type Settings = Readonly<Record<string, string | undefined>>

function configOf(settings: Settings): Config {
  const config = readConfig(settings)
  assert.ok(config.ok, JSON.stringify(config))
  return config.value
}

async function tempPlaces() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-move-'))
  return {
    embedded: join(folder, 'embedded'),
    node: join(folder, 'node'),
    objects: join(folder, 'objects'),
    back: join(folder, 'back'),
    marks: join(folder, 'marks'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
