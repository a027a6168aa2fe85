import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownDatabase } from '../../../test/kit/databases.ts'
import { ownPlaces } from '../../../test/kit/service.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'
import { type Config, readConfig } from '../settings/config.ts'
import { type ResumeOptions, resumeLog } from '../log/resume-log.ts'
import { openStore } from '../open-store.ts'
import { moveStore } from './move-store.ts'
import { restoreBackup } from './restore-backup.ts'
import { TransferRefused } from './transfer-error.ts'
import { writeBackup } from './write-backup.ts'

test('a backup of a running service restores every record, key and kit', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  const receipt = await issueKits(service)
  const state = { running: true }
  const requests = (async () => {
    while (state.running) await service.issue()
  })()
  const report = await writeBackup(service.config, { folder: folders.backup })
  state.running = false
  await requests
  assert.deepEqual(report.bad, [])
  assert.ok(report.rows > 10 && report.copied >= 4)

  await using target = await emptyStore(folders.other)
  const restore = await restoreBackup(target.config, folders.backup)
  assert.equal(restore.rows, report.rows)
  assert.deepEqual(restore.kits.problems, [])
  assert.ok(restore.kits.verified >= 2)
  await using restored = await testService(target.settings)
  assert.equal((await restored.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  await resume(target.config, { nothingNewerWasSigned: true })
  await restored.issue()
  const [before, after] = [await kidOf(service), await kidOf(restored)]
  assert.equal(after, before, 'same signing key')
})

test('a second backup into the same folder copies only new objects', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  await service.issue()
  const first = await writeBackup(service.config, { folder: folders.backup })
  await service.issue()
  const second = await writeBackup(service.config, { folder: folders.backup })
  assert.equal(second.present, first.copied)
  assert.equal(second.copied, 1)
  for (const name of await readdir(folders.backup, { recursive: true })) {
    const { mode } = await stat(join(folders.backup, name))
    assert.equal(mode & 0o077, 0, `${name} is accessible to its owner only`)
  }
})

test('a later backup into the same folder no longer has erased evidence, and restores', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'erased later' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  await service.issue()
  await writeBackup(service.config, { folder: folders.backup })
  const copy = (): Promise<string[]> => readdir(join(folders.backup, 'objects'), { recursive: true })
  const evidence = createHash('sha256').update('erased later').digest('hex')
  const has = async (): Promise<boolean> => (await copy()).some((name) => name.endsWith(evidence))
  assert.ok(await has())
  const headers = { 'x-api-key': acme.key }
  assert.equal((await service.call(`/v1/submissions/${id}`, { method: 'DELETE', headers })).status, 204)
  const second = await writeBackup(service.config, { folder: folders.backup })
  assert.ok(second.removed >= 1)
  assert.deepEqual([second.bad, second.copied, await has()], [[], 0, false])
  await using target = await emptyStore(folders.other)
  const { kits } = await restoreBackup(target.config, folders.backup)
  assert.deepEqual([kits.problems, kits.verified, kits.expired], [[], 1, 1])
})

test('evidence that is erased while a backup runs is reported as erased, not as damage', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'erased meanwhile' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  await using store = await openStore(service.config)
  const evidence = createHash('sha256').update('erased meanwhile').digest('hex')
  const report = await writeBackup(service.config, {
    folder: folders.backup,
    onRecords: async () => {
      const headers = { 'x-api-key': acme.key }
      assert.equal((await service.call(`/v1/submissions/${id}`, { method: 'DELETE', headers })).status, 204)
      // The service does this twenty minutes later.
      await store.objects.delete(evidence)
    },
  })
  assert.deepEqual([report.bad, report.erased, report.index.lacks], [[], [evidence], [evidence]])
  await using target = await emptyStore(folders.other)
  assert.deepEqual((await restoreBackup(target.config, folders.backup)).lacking, [evidence])
})

test('file names with any Unicode character survive backup and restore', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'line\u2028and\u2029paragraph.txt': 'policy text' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  const { rows } = await writeBackup(service.config, { folder: folders.backup })
  await using target = await emptyStore(folders.other)
  assert.equal((await restoreBackup(target.config, folders.backup)).rows, rows)
})

test('of two concurrent backups into one folder one is rejected and the other is complete', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  await service.issue()
  const [first, second] = await Promise.allSettled([
    writeBackup(service.config, { folder: folders.backup }),
    writeBackup(service.config, { folder: folders.backup }),
  ])
  assert.deepEqual([first.status, second.status].toSorted(), ['fulfilled', 'rejected'])
  const rejected = first.status === 'rejected' ? first : second
  assert.match(String((rejected as PromiseRejectedResult).reason), /Another backup into .* is running/)
  await using target = await emptyStore(folders.other)
  await restoreBackup(target.config, folders.backup)
  await writeBackup(service.config, { folder: folders.backup })
})

test('a backup into the data folder, or into the backup of another service, is rejected and changes nothing', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  await assert.rejects(writeBackup(service.config, { folder: service.dataFolder }), /Choose another folder/)
  const { index } = await writeBackup(service.config, { folder: folders.backup })
  assert.ok(index.log !== undefined)
  await writeFile(join(folders.backup, 'backup.json'), JSON.stringify({ ...index, log: 'another' }))
  const before = await readdir(folders.backup, { recursive: true })
  await assert.rejects(
    writeBackup(service.config, { folder: folders.backup }),
    /the backup of another service/,
  )
  assert.deepEqual(await readdir(folders.backup, { recursive: true }), before)
})

test('a restore that cannot write keys is rolled back and can be repeated', async () => {
  await using service = await testService({ KITSEAL_DATABASE_URL: undefined })
  await using folders = await tempFolders()
  await service.issue()
  await writeBackup(service.config, { folder: folders.backup })
  const config = configOf({ KITSEAL_DATA: folders.other })
  await mkdir(folders.other)
  await writeFile(join(folders.other, 'keys'), 'not a folder')
  await assert.rejects(restoreBackup(config, folders.backup))
  await rm(join(folders.other, 'keys'))
  await restoreBackup(config, folders.backup)
})

test('restore rejects a non-empty target, an incomplete backup and a modified backup', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  await service.issue()
  await assert.rejects(restoreBackup(service.config, folders.backup), /does not contain a complete backup/)
  const { index } = await writeBackup(service.config, { folder: folders.backup })
  await assert.rejects(restoreBackup(service.config, folders.backup), /The target database is not empty/)

  await using target = await emptyStore(folders.other)
  const jobs = fileOf(folders.backup, index.tables['jobs']?.files[0]?.sha256)
  const original = await readFile(jobs)
  await appendFile(jobs, '{}\n')
  await assert.rejects(restoreBackup(target.config, folders.backup), /The backup is damaged/)
  await rm(jobs)
  await assert.rejects(restoreBackup(target.config, folders.backup), /The backup is damaged.*is missing/)
  await writeFile(jobs, original)
  const { jobs: _, ...others } = index.tables
  await writeFile(join(folders.backup, 'backup.json'), JSON.stringify({ ...index, tables: others }))
  await assert.rejects(restoreBackup(target.config, folders.backup), /it does not have jobs/)
  await writeFile(join(folders.backup, 'backup.json'), JSON.stringify({ ...index, tables: { jobs: 1 } }))
  await assert.rejects(restoreBackup(target.config, folders.backup), /is not the index of a backup/)
  await writeFile(join(folders.backup, 'backup.json'), JSON.stringify(index))
  const names = await readdir(join(folders.backup, 'objects'), { recursive: true })
  const name = names.find((each) => each.length > 64) ?? ''
  const object = join(folders.backup, 'objects', name)
  const content = await readFile(object)
  await writeFile(object, content.fill(1, 0, 1))
  await assert.rejects(
    restoreBackup(target.config, folders.backup),
    /The source has missing or damaged objects \(1\)/,
  )
  await using store = await openStore(target.config)
  assert.deepEqual(await store.db.selectFrom('jobs').selectAll().execute(), [])
})

test('a backup with a missing object can be restored, and the object is reported', async () => {
  await using service = await testService()
  await using folders = await tempFolders()
  const { kitId } = await service.issue()
  await service.issue()
  await using store = await openStore(service.config)
  const own = await store.db.selectFrom('kit_objects').selectAll().execute()
  const shared = new Set(own.filter((row) => row.kit_id !== kitId).map(({ sha256 }) => sha256))
  const { sha256 } = own.find((row) => row.kit_id === kitId && !shared.has(row.sha256)) ??
    own[0] ?? { sha256: '' }
  await store.objects.delete(sha256)
  assert.deepEqual((await writeBackup(service.config, { folder: folders.backup })).bad, [sha256])
  await using target = await emptyStore(folders.other)
  const { lacking, kits } = await restoreBackup(target.config, folders.backup)
  assert.deepEqual(lacking, [sha256])
  assert.deepEqual([kits.verified, kits.problems.map((each) => each.kitId)], [2, [kitId]])
})

test('a move copies everything, can be repeated, and rejects a running service and a non-empty target', async () => {
  await using folders = await tempFolders()
  const embedded = configOf({ KITSEAL_DATA: folders.source, KITSEAL_LOG_MARK: folders.marks })
  const settings = {
    KITSEAL_DATA: folders.source,
    KITSEAL_LOG_MARK: folders.marks,
    KITSEAL_DATABASE_URL: undefined,
    KITSEAL_OBJECTS: undefined,
  }
  let receipt = ''
  {
    await using service = await testService(settings)
    receipt = await issueKits(service)
    await using target = await emptyStore(folders.other)
    await assert.rejects(moveStore(embedded, target.config), /The service is running/)
  }
  await using target = await emptyStore(folders.other)
  // An interrupted move leaves some objects and no records.
  {
    await using source = await openStore(embedded)
    await using store = await openStore(target.config)
    for await (const { sha256 } of source.objects.list()) {
      await store.objects.put(source.objects.read(sha256))
      break
    }
  }
  const moved = await moveStore(embedded, target.config)
  assert.deepEqual([moved.kits.problems, moved.kits.verified], [[], 2])
  await using after = await testService(target.settings)
  assert.equal((await after.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  await resume(target.config)
  await after.issue()
  await assert.rejects(moveStore(embedded, target.config), (error: unknown) => {
    assert.ok(error instanceof TransferRefused)
    assert.match(error.message, /The target database is not empty/)
    return true
  })
})

test('a move rejects a source with an invalid kit and names the kit', async () => {
  await using folders = await tempFolders()
  const embedded = configOf({ KITSEAL_DATA: folders.source })
  {
    await using store = await openStore(embedded)
    await using service = await testService({
      KITSEAL_DATA: folders.source,
      KITSEAL_DATABASE_URL: undefined,
      KITSEAL_OBJECTS: undefined,
    })
    await service.issue()
    const { sha256 } = await store.db.selectFrom('kit_objects').select('sha256').executeTakeFirstOrThrow()
    await store.objects.delete(sha256)
  }
  await using target = await emptyStore(folders.other)
  await assert.rejects(moveStore(embedded, target.config), /Kits do not verify \(1\): kit_/)
})

const fileOf = (backup: string, sha256 = ''): string => join(backup, 'records', sha256.slice(0, 2), sha256)

/** Restored and moved logs are frozen. */
async function resume(config: Config, options: ResumeOptions = {}): Promise<void> {
  await using store = await openStore(config)
  assert.equal((await resumeLog(store, options)).is, 'resumed')
}

/** Issues a kit for a job and one for a submission. Returns the receipt of the latter. */
async function issueKits(service: TestService): Promise<string> {
  await service.issue()
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  const kitId = String((await acme.ended(id))['kit_id'])
  return (await service.call(`/v1/kits/${kitId}/receipt`)).bytes.toString()
}

async function kidOf(service: TestService): Promise<unknown> {
  const { keys } = (await service.call('/.well-known/jwks.json')).json as { keys: { kid: string }[] }
  return keys[0]?.kid
}

async function tempFolders() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-transfer-'))
  return {
    source: join(folder, 'source'),
    marks: join(folder, 'marks'),
    other: join(folder, 'other'),
    backup: join(folder, 'backup'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** An empty target, on the database and object store under test. */
async function emptyStore(dataFolder: string) {
  const database = await ownDatabase()
  const settings = {
    KITSEAL_DATA: dataFolder,
    KITSEAL_LOG_MARK: `${dataFolder}-marks`,
    ...database.settings,
    ...ownPlaces(),
  }
  return {
    settings,
    config: configOf(settings),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

function configOf(settings: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(settings)
  assert.ok(config.ok, JSON.stringify(config))
  return config.value
}
