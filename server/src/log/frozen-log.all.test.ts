import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseCheckpoint, parseEntryBundle, parseLeaf } from '@kitseal/kit/internal'
import {
  type Config,
  exportLog,
  openStore,
  recoverLog,
  restoreBackup,
  resumeLog,
  writeBackup,
} from '../index.ts'
import { readLogStatus } from './log-status.ts'
import { ownDatabase } from '../../../test/kit/databases.ts'
import { ownPlaces } from '../../../test/kit/service.ts'
import { type TestService, testConfig, testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { clientOf, form, workspaceClient } from '../../../test/kit/workspace.ts'

interface Scene extends AsyncDisposable {
  readonly folder: string
  at(name: string): string
}

function newScene(): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-frozen-'))
  return {
    folder,
    at: (name) => join(folder, name),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  }
}

/** An empty store that shares the high-water mark with `service`, as on the same machine. */
async function restoreBeside(service: TestService, backup: string, dataFolder: string) {
  const database = await ownDatabase()
  const settings = {
    KITSEAL_DATA: dataFolder,
    KITSEAL_ISSUER: service.base,
    KITSEAL_OPEN_INTAKE: 'on',
    KITSEAL_LOG_MARK: service.config.logMark.folder,
    ...database.settings,
    ...ownPlaces(),
  }
  const config = testConfig(settings)
  await restoreBackup(config, { folder: backup, env: process.env })
  return { settings, config, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

async function statusOf(config: Config) {
  await using store = await openStore(config)
  const status = await readLogStatus(store)
  assert.ok(status !== undefined)
  return status
}

/** A job that has been PASS for a while, and was not issued. */
async function staysPassed(service: TestService): Promise<string> {
  const { json } = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'waits' })
  const jobId = String(json['job_id'])
  const isPassed = async () => (await service.call(`/v1/intake/jobs/${jobId}`)).json['status'] === 'PASS'
  await until(isPassed)
  return jobId
}

async function jobStatus(service: TestService, jobId: string): Promise<unknown> {
  return (await service.call(`/v1/intake/jobs/${jobId}`)).json['status']
}

test('a restored service issues nothing until its log is resumed', async () => {
  await using scene = newScene()
  await using service = await testService()
  const { kitId } = await service.issue()
  await service.service.stop()
  await writeBackup(service.config, { folder: scene.at('backup'), env: process.env })
  await using target = await restoreBeside(service, scene.at('backup'), scene.at('data'))
  await using restored = await testService(target.settings)
  const jobId = await staysPassed(restored)

  const ready = await restored.call('/readyz')
  assert.equal(ready.status, 503)
  assert.match(String(ready.json['message']), /log \(frozen: the database was restored from a backup of /)
  assert.match(restored.log(), /the log is frozen: no kits are issued/)
  const metrics = await restored.metrics()
  assert.match(metrics, /^kitseal_log_frozen 1$/m)
  assert.match(metrics, /^kitseal_log_size 2$/m)
  assert.match(metrics, /^kitseal_log_mark_size 2$/m)
  assert.equal(
    (await restored.call(`/v1/kits/${kitId}/log-proof`)).status,
    200,
    'issued kits keep their proof',
  )
  assert.equal((await restored.call(`/v1/kits/${kitId}/receipt`)).status, 200)
  assert.equal(
    parseCheckpoint((await restored.call('/log/checkpoint')).bytes).size,
    2,
    'what was signed is served',
  )
  assert.equal(await jobStatus(restored, jobId), 'PASS')

  await using store = await openStore(target.config)
  assert.equal((await resumeLog(store)).is, 'resumed')
  await until(async () => (await jobStatus(restored, jobId)) === 'ISSUED')
  assert.match(await restored.metrics(), /^kitseal_log_frozen 0$/m)
  assert.equal((await resumeLog(store)).is, 'not_frozen')
})

test(
  'an old copy of the data folder is noticed, because the mark is outside',
  { skip: process.env['KITSEAL_TEST_DATABASE'] !== undefined && 'the database is not in the data folder' },
  async () => {
    await using scene = newScene()
    await using first = await testService({ KITSEAL_ISSUER: 'http://issuer.example' })
    await first.issue()
    await first.service.stop()
    cpSync(first.dataFolder, scene.at('old'), { recursive: true })
    {
      await using second = await testService({
        KITSEAL_DATA: first.dataFolder,
        KITSEAL_LOG_MARK: first.config.logMark.folder,
      })
      await second.issue()
    }
    rmSync(first.dataFolder, { recursive: true })
    cpSync(scene.at('old'), first.dataFolder, { recursive: true })
    await using third = await testService({
      KITSEAL_DATA: first.dataFolder,
      KITSEAL_LOG_MARK: first.config.logMark.folder,
    })
    assert.match(
      String((await third.call('/readyz')).json['message']),
      /frozen: the database has 2 leaves of the log, but 3 were signed/,
    )
    await staysPassed(third)
    assert.equal((await third.call('/log/checkpoint')).status, 503, 'an older checkpoint is not signed again')
    await using store = await openStore(third.config)
    const refused = await resumeLog(store, { nothingNewerWasSigned: true })
    assert.deepEqual([refused.is, refused.is === 'refused' && refused.problem.is], ['refused', 'ahead'])
  },
)

test('recovery adds what was signed after the backup, and no job is logged twice', async () => {
  await using scene = newScene()
  await using service = await testService()
  await service.issue()
  const client = await workspaceClient(service)
  const open = await client.submission()
  await writeBackup(service.config, { folder: scene.at('backup'), env: process.env })
  await client.upload(open, form({ 'a.txt': 'evidence' }))
  assert.equal((await client.ended(open))['status'], 'PASS')
  await service.issue()
  await service.service.signingKeys.rotate()
  await service.issue()
  {
    await using store = await openStore(service.config)
    await exportLog(store.transparencyLog, scene.at('copy'))
  }
  const signed = parseCheckpoint((await service.call('/log/checkpoint')).bytes)
  await service.service.stop()

  await using target = await restoreBeside(service, scene.at('backup'), scene.at('data'))
  await using restored = await testService(target.settings)
  // While the log is frozen, the draft is submitted again, and a kit is sealed for it.
  const again = clientOf({ call: restored.call }, client.workspaceId, client.key)
  await again.upload(open, form({ 'a.txt': 'evidence' }))
  const waiting = await staysPassed(restored)
  await using store = await openStore(target.config)
  await until(async () => (await statusOf(target.config)).waiting === 2)
  assert.equal((await statusOf(target.config)).mark.problem?.is, 'ahead')
  const refused = await resumeLog(store)
  assert.equal(refused.is === 'refused' && refused.problem.is, 'ahead')

  const recovered = await recoverLog(store, scene.at('copy'))
  assert.deepEqual([recovered.from, recovered.to], [2, signed.size])
  assert.equal(recovered.ended_jobs.length, 1)
  assert.equal(recovered.ended_keys.length, 1, 'the key was retired according to the log')
  assert.equal(recovered.unknown_keys.length, 1)
  assert.equal((await resumeLog(store)).is, 'resumed')
  const ended = await again.ended(open)
  assert.equal(ended['status'], 'FAIL')
  assert.match(JSON.stringify(ended['blockers']), /issued_before_restore/)
  assert.equal((await again.credits()).held, 0)
  await until(async () => (await jobStatus(restored, waiting)) === 'ISSUED')

  const newest = parseCheckpoint((await restored.call('/log/checkpoint')).bytes)
  assert.ok(newest.size > signed.size)
  const entries = parseEntryBundle((await restored.call(`/log/tile/entries/000.p/${newest.size}`)).bytes)
  const tags = entries.map(parseLeaf).flatMap((leaf) => (leaf.kind === 'receipt' ? [leaf.job_tag] : []))
  assert.equal(new Set(tags).size, tags.length, 'each job once')
})

test('a kit that waited in the backup and was issued later is issued again with the same receipt', async () => {
  await using scene = newScene()
  await using service = await testService()
  await service.issue()
  {
    await using store = await openStore(service.config)
    await store.db.updateTable('log').set({ frozen_at: 'now', frozen_reason: 'a test' }).execute()
    const jobId = await staysPassed(service)
    await writeBackup(service.config, { folder: scene.at('backup'), env: process.env })
    await resumeLog(store)
    await until(async () => (await jobStatus(service, jobId)) === 'ISSUED')
    await exportLog(store.transparencyLog, scene.at('copy'))
    const kitId = (await service.call(`/v1/intake/jobs/${jobId}`)).json['kit_id']
    await service.service.stop()
    await using target = await restoreBeside(service, scene.at('backup'), scene.at('data'))
    await using other = await openStore(target.config)
    const recovered = await recoverLog(other, scene.at('copy'))
    assert.deepEqual([recovered.kits, recovered.unknown_receipts, recovered.ended_jobs], [1, 0, []])
    assert.equal((await resumeLog(other)).is, 'resumed')
    await using restored = await testService(target.settings)
    await until(async () => (await jobStatus(restored, jobId)) === 'ISSUED')
    assert.equal((await restored.call(`/v1/intake/jobs/${jobId}`)).json['kit_id'], kitId)
    assert.equal(parseCheckpoint((await restored.call('/log/checkpoint')).bytes).size, 3)
  }
})

test('a copy that was changed, is too old, or is of another log is refused, and nothing changes', async () => {
  await using scene = newScene()
  await using service = await testService()
  await service.issue()
  await writeBackup(service.config, { folder: scene.at('backup'), env: process.env })
  const exportTo = async (name: string, from = service.config): Promise<string> => {
    await using store = await openStore(from)
    await exportLog(store.transparencyLog, scene.at(name))
    return scene.at(name)
  }
  await service.issue()
  const old = await exportTo('old')
  await service.issue()
  const good = await exportTo('good')
  await service.service.stop()
  await using other = await testService()
  for (let count = 0; count < 4; count += 1) await other.issue()
  const foreign = await exportTo('foreign', other.config)

  const doctored = (name: string, file: string, change: (bytes: Buffer) => Uint8Array): string => {
    cpSync(good, scene.at(name), { recursive: true })
    writeFileSync(join(scene.at(name), file), change(readFileSync(join(good, file))))
    return scene.at(name)
  }
  const entries = 'tile/entries/000.p/4'
  const refusals: readonly (readonly [string, RegExp])[] = [
    [old, /is not enough: .*has 3 leaves of the log, but 4 were signed/],
    [foreign, /is not signed by the key of the log/],
    [scene.at('nothing'), /is not a copy of a log/],
    [doctored('entry', entries, flip), /the root is not the one that was signed/],
    [doctored('short', entries, (bytes) => bytes.subarray(0, 200)), /entries\/000\.p\/4/],
    [
      doctored('leaf', entries, (bytes) =>
        Buffer.from(bytes.toString('latin1').replaceAll('receipt_', 'receipT_'), 'latin1'),
      ),
      /entries\/000\.p\/4: /,
    ],
    [
      doctored('size', 'checkpoint', (bytes) => Buffer.from(bytes.toString().replace('\n4\n', '\n5\n'))),
      /is not signed by the key/,
    ],
    [doctored('missing', 'checkpoint', (bytes) => bytes), /is missing/],
  ]
  rmSync(join(scene.at('missing'), 'tile', 'entries'), { recursive: true })

  await using target = await restoreBeside(service, scene.at('backup'), scene.at('data'))
  await using store = await openStore(target.config)
  const before = await statusOf(target.config)
  for (const [folder, message] of refusals)
    await assert.rejects(recoverLog(store, folder), { name: 'TransferRefused', message }, folder)
  assert.deepEqual(await statusOf(target.config), before)
  assert.equal((await recoverLog(store, good)).to, 4)
  assert.equal((await recoverLog(store, good)).from, 4, 'again: nothing is added')
  assert.equal((await resumeLog(store)).is, 'resumed')
  await assert.rejects(recoverLog(store, good), /is not frozen/)
})

test('without a mark, resuming needs the assertion of the operator', async () => {
  await using scene = newScene()
  await using service = await testService()
  await service.issue()
  await writeBackup(service.config, { folder: scene.at('backup'), env: process.env })
  await service.service.stop()
  await using elsewhere = newScene()
  await using target = await restoreBeside(
    { ...service, config: { ...service.config, logMark: { is: 'given', folder: elsewhere.at('marks') } } },
    scene.at('backup'),
    scene.at('data'),
  )
  await using store = await openStore(target.config)
  const refused = await resumeLog(store)
  assert.deepEqual([refused.is, refused.is === 'refused' && refused.problem.is], ['refused', 'missing'])
  assert.ok(!existsSync(elsewhere.at('marks')))
  assert.equal((await resumeLog(store, { nothingNewerWasSigned: true })).is, 'resumed')
  await using restored = await testService(target.settings)
  await restored.issue()
})

/** Changes one digit of the last receipt hash. */
function flip(bytes: Buffer): Uint8Array {
  const at = bytes.toString('latin1').lastIndexOf('"receipt_sha256":"') + 18
  bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30
  return bytes
}
