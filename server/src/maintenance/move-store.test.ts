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
import { resumeLog } from '../log/log-status.ts'
import { allTables } from '../database/create-schema.ts'
import { openStore } from '../open-store.ts'
import { DECLARED } from '../tables.ts'
import { moveStore } from './move-store.ts'
import type { Progress } from './database-copy.ts'

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
  assert.deepEqual([...new Set(progress.map(({ step }) => step))], ['Copying objects', 'Writing records'])
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
  await moveStore(configOf(shared), configOf(back))
  assert.deepEqual(await recordsOf(back), before)
  await using service = await testService({ ...NOTHING, ...back })
  assert.equal((await service.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  await resume(back)
  await service.issue()
})

test('a move refuses a running service, a target that is the source or not empty, and a source without data or with damage', async () => {
  await using places = await tempPlaces()
  const marks = { KITSEAL_LOG_MARK: places.marks }
  const [from, to] = [places.embedded, places.back].map((KITSEAL_DATA) =>
    configOf({ ...marks, KITSEAL_DATA }),
  )
  assert.ok(from !== undefined && to !== undefined)
  {
    await using service = await testService({ ...NOTHING, ...marks, KITSEAL_DATA: places.embedded })
    await service.issue()
    await assert.rejects(moveStore(from, to), /The service is running/)
  }
  await assert.rejects(moveStore(from, from), /The target is the source/)
  await assert.rejects(
    moveStore(configOf({ KITSEAL_DATA: join(places.node, 'nothing') }), to),
    /has no database/,
  )
  {
    await using store = await openStore(from)
    const { object } = await store.db
      .selectFrom('objects')
      .select('object')
      .where('submission_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const bytes: Uint8Array[] = []
    for await (const part of store.objects.read(object)) bytes.push(part)
    await store.objects.delete(object)
    await assert.rejects(moveStore(from, to), /missing or damaged objects \(1\)/)
    await store.objects.put(Buffer.concat(bytes), object)
  }
  await moveStore(from, to)
  await assert.rejects(moveStore(from, to), /The target database is not empty/)
})

/** Settings of the test run do not apply. */
const NOTHING = { KITSEAL_DATABASE_URL: undefined, KITSEAL_OBJECTS: undefined }

const UNFROZEN = { frozen_at: null, frozen_reason: null }

/** Everything except that the log is frozen. */
async function recordsOf(settings: Settings): Promise<Readonly<Record<string, readonly object[]>>> {
  await using store = await openStore(configOf(settings))
  const records: Record<string, object[]> = {}
  for (const {
    name,
    more: { key },
  } of allTables(DECLARED)) {
    const order = sql.join(key.map((column) => sql.ref(column)))
    const { rows } = await sql<object>`select * from ${sql.table(name)} order by ${order}`.execute(store.db)
    records[name] = rows.map((row) => Object.assign(row, UNFROZEN))
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
