import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../settings/config.ts'
import type { JobsTable } from '../database/schema.ts'
import { openSqlite } from '../database/sqlite.ts'
import { ANYONE } from '../http/caller.ts'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/new-job.ts'
import { startWorkThread } from './start-work-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-thread-'))
after(() => rmSync(folder, { recursive: true }))

/** Crashes at its first start while holding a job. At its second start it logs its options and waits to be stopped. */
const THREAD = `
import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite3 from ${JSON.stringify(import.meta.resolve('better-sqlite3'))}
const marker = workerData.config.dataFolder + '/crashed-once'
if (!existsSync(marker)) {
  writeFileSync(marker, '')
  const db = new BetterSqlite3(workerData.config.dataFolder + '/kitseal.sqlite')
  db.prepare("update jobs set lease_owner = ?, lease_until = '2999', attempts = 1").run(workerData.owner)
  db.close()
  throw new Error('a bug in a parser')
}
parentPort.postMessage([{ type: 'log', text: JSON.stringify({ poisonJobs: workerData.poisonJobs }) }])
parentPort.on('message', (message) => message.type === 'stop' ? parentPort.close() : parentPort.postMessage([{ type: 'ended', result: 'issued' }]))
`

test('a crashed work thread is restarted, and its leases are released', async () => {
  const db = await openSqlite(join(folder, 'kitseal.sqlite'))
  await db.insertInto('jobs').values(job()).execute()
  writeFileSync(join(folder, 'thread.mjs'), THREAD)
  const config = readConfig({ KITSEAL_DATA: folder })
  assert.ok(config.ok)
  const lines: string[] = []
  const errors: unknown[] = []
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const worker = startWorkThread(
    db,
    {
      config: config.value,
      issuer: 'https://kits.example',
      page: { sha256: '', sizeBytes: 0, crc32: 0 },
      log: { error: ({ err }) => errors.push(err) },
      lines: {
        write: (text) => {
          lines.push(text)
          started.resolve()
        },
      },
      ended: (result) => ended.resolve(result),
    },
    pathToFileURL(join(folder, 'thread.mjs')),
  )
  await started.promise
  assert.match(String(errors[0]), /a bug in a parser/)
  assert.deepEqual(lines, ['{"poisonJobs":{}}'], 'one crash does not make a poison job')
  const [row] = await db.selectFrom('jobs').selectAll().execute()
  assert.deepEqual([row?.lease_owner, row?.lease_until, row?.attempts], [null, null, 1])
  assert.equal(worker.healthy(), false, 'not healthy before it has finished a job')
  worker.wake()
  assert.equal(await ended.promise, 'issued')
  assert.equal(worker.healthy(), true)
  await worker.stop()
  await db.destroy()
})

function job(): JobsTable {
  const request = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED' } as const
  const ctx = { clock: { now: () => 0 }, identifiers: randomIdentifiers(), config: { draftTtlHours: 1 } }
  return newJob(ctx, request, ANYONE)
}

/** Claims the job and hangs, unless it is a poison job. */
const STUCK_THREAD = `
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite3 from ${JSON.stringify(import.meta.resolve('better-sqlite3'))}
parentPort.postMessage([{ type: 'health', healthy: true }])
const { job } = JSON.parse(readFileSync(workerData.config.dataFolder + '/job.json', 'utf8'))
if (workerData.poisonJobs[job] === undefined) {
  const db = new BetterSqlite3(workerData.config.dataFolder + '/kitseal.sqlite')
  db.prepare("update jobs set lease_owner = ?, lease_until = '2999', attempts = attempts + 1").run(workerData.owner)
  db.close()
  for (;;);
}
parentPort.postMessage([{ type: 'log', text: JSON.stringify(workerData.poisonJobs) }])
const alive = setInterval(() => parentPort.postMessage([{ type: 'health', healthy: true }]), 20)
parentPort.on('message', () => { clearInterval(alive); parentPort.close() })
`

test('a stuck work thread is terminated, and a job that hangs twice is not retried', async () => {
  const data = mkdtempSync(join(folder, 'stuck-'))
  const db = await openSqlite(join(data, 'kitseal.sqlite'))
  const stuck = job()
  await db.insertInto('jobs').values(stuck).execute()
  writeFileSync(join(data, 'job.json'), JSON.stringify({ job: stuck.job_id }))
  writeFileSync(join(data, 'thread.mjs'), STUCK_THREAD)
  const config = readConfig({ KITSEAL_DATA: data })
  assert.ok(config.ok)
  const line = Promise.withResolvers<string>()
  const errors: string[] = []
  const worker = startWorkThread(
    db,
    {
      config: config.value,
      issuer: 'https://kits.example',
      page: { sha256: '', sizeBytes: 0, crc32: 0 },
      log: { error: (_fields, message) => errors.push(message) },
      lines: { write: (text) => line.resolve(text) },
      ended: () => undefined,
    },
    pathToFileURL(join(data, 'thread.mjs')),
    { heapMegabytes: 64, heartbeatTimeoutMs: 1500 },
  )
  assert.deepEqual(JSON.parse(await line.promise), { [stuck.job_id]: 'timeout' })
  assert.deepEqual(errors, ['the work thread is stuck', 'the work thread is stuck'])
  const [row] = await db.selectFrom('jobs').selectAll().execute()
  assert.deepEqual([row?.lease_owner, row?.attempts], [null, 2])
  await worker.stop()
  await db.destroy()
})
