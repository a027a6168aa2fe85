import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../src/open-store.ts'
import { noteTask } from '../src/database/task-notes.ts'
import { scrubObjects } from '../src/maintenance/scrub-objects.ts'
import { noteScrub } from '../src/maintenance/scrub-report.ts'
import { BACKUP_NOTE } from '../src/maintenance/write-backup.ts'
import { systemNodeClock } from '../src/database/database-clock.ts'
import type { Environment } from '../src/index.ts'
import { readObjectsLocation } from '../src/settings/objects-location.ts'
import { type RecordedFault, record } from './alert-tests.ts'
import { cutProxy } from './cut-proxy.ts'
import { newDatabase, postgresServer } from './postgres-server.ts'
import { type TestService, testService } from './test-service.ts'
import { noOpenssl, timeStampAuthority } from './time-stamp-authority.ts'
import { until } from './until.ts'
import { webhookReceiver } from './webhook-receiver.ts'
import { administer, clientOf, form, workspaceClient } from './workspace-client.ts'

/** Watches a service while a fault begins, which raises these alerts, in alphabetical order. */
export type Watch<Seen> = (
  service: TestService,
  name: string,
  alerts: readonly string[],
  begin: () => Promise<void>,
) => Promise<Seen>

/** Makes a fault in a running service, and returns what was seen; a text if it cannot be made here. */
export type Fault = <Seen>(watch: Watch<Seen>) => Promise<Seen | string>

export const FAULTS: Readonly<Record<string, Fault>> = {
  healthy: async (watch) => {
    await using service = await startedService()
    const { key, workspaceId } = await workspaceClient(service)
    const client = clientOf(service, workspaceId, key)
    return await watch(service, 'healthy', [], async () => {
      const id = await client.submission()
      await client.upload(id, form({ 'a.txt': 'a' }))
      await client.ended(id)
    })
  },
  'the node is down': async (watch) => {
    await using service = await startedService()
    return await watch(service, 'the node is down', ['KitsealDown'], () => service.service.stop())
  },
  'the database is down': async (watch) => {
    await using server = await postgresServer()
    await using service = await startedService({ KITSEAL_DATABASE_URL: await newDatabase(server.url) })
    return await watch(service, 'the database is down', ['KitsealDatabaseUnavailable'], async () => {
      await server.stop()
      await until(() => isNotReady(service, 'database'))
    })
  },
  'the database does not answer': async (watch) => {
    await using server = await postgresServer()
    const url = new URL(await newDatabase(server.url))
    await using proxy = await cutProxy(`http://${url.host}`)
    url.host = new URL(proxy.url).host
    await using service = await startedService({ KITSEAL_DATABASE_URL: url.href })
    return await watch(service, 'the database does not answer', ['KitsealDatabaseUnavailable'], async () => {
      proxy.swallow()
      await until(() => isNotReady(service, 'database'))
    })
  },
  'the object store does not answer': async (watch) => {
    const location = readObjectsLocation(process.env['KITSEAL_TEST_OBJECTS'] ?? '')
    if (location?.is !== 's3' || location.endpoint === undefined)
      return 'no S3 server: "npm run test:s3" starts one'
    await using proxy = await cutProxy(location.endpoint)
    const { bucket, prefix, region } = location
    const objects = `s3://${bucket}/${prefix}silent-${Date.now()}?endpoint=${proxy.url}&region=${region}&path_style=true`
    await using service = await startedService({ KITSEAL_OBJECTS: objects, KITSEAL_LOG_MARK: undefined })
    const alerts = ['KitsealObjectsUnavailable']
    return await watch(service, 'the object store does not answer', alerts, async () => {
      proxy.swallow()
      await until(() => isNotReady(service, 'objects'))
    })
  },
  'the disk is full': (watch) =>
    onSmallDisk(async (folder) => {
      await using service = await startedService({ KITSEAL_DATA: join(folder, 'data') })
      const alerts = ['KitsealDiskBelowReserve', 'KitsealDiskFull', 'KitsealDiskNearlyFull']
      return await watch(service, 'the disk is full', alerts, async () => {
        fill(join(folder, 'filler'), 0)
        await until(() => isNotReady(service, 'disk'))
      })
    }),
  'the disk is nearly full': (watch) =>
    onSmallDisk(async (folder) => {
      await using service = await startedService({ KITSEAL_DATA: join(folder, 'data') })
      return await watch(service, 'the disk is nearly full', ['KitsealDiskNearlyFull'], async () =>
        fill(join(folder, 'filler'), 0.07),
      )
    }),
  'the clock is two hours ahead': async (watch) => {
    const node = { ...systemNodeClock, aheadMs: 0, now: () => Date.now() + node.aheadMs }
    await using service = await startedService({}, node)
    return await watch(service, 'the clock is two hours ahead', ['KitsealClockSkew'], async () => {
      node.aheadMs = 2 * 3_600_000
      await until(() => isNotReady(service, 'clock'))
    })
  },
  'the log is frozen': async (watch) => {
    await using service = await startedService()
    return await watch(service, 'the log is frozen', ['KitsealJobsOld', 'KitsealLogFrozen'], async () => {
      await using store = await openStore(service.config)
      await store.db.updateTable('log').set({ frozen_at: 'now', frozen_reason: 'a test' }).execute()
      await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'waits' })
      await until(() => isNotReady(service, 'log'))
    })
  },
  'nobody works on jobs': async (watch) => {
    await using service = await startedService({ KITSEAL_ROLE: 'api' })
    // A worker creates it.
    mkdirSync(join(service.dataFolder, 'objects'), { recursive: true })
    return await watch(service, 'nobody works on jobs', ['KitsealJobsOld'], async () => {
      const created = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'waits' })
      assert.equal(created.status, 202)
    })
  },
  'the receiver of a webhook fails': async (watch) => {
    await using receiver = await webhookReceiver()
    receiver.answer = () => 500
    await using service = await startedService({ KITSEAL_WEBHOOK_ALLOW: '127.0.0.1' })
    const client = await adminClient(service)
    return await watch(service, 'the receiver of a webhook fails', ['KitsealDeliveriesFailing'], async () => {
      assert.equal((await client.post('/v1/webhooks', { url: receiver.url })).status, 201)
      await client.submission()
      await until(() => isFailing(service, 'webhook'))
    })
  },
  'the mail server is down': async (watch) => {
    const settings = { KITSEAL_SMTP_URL: 'smtp://127.0.0.1:1', KITSEAL_MAIL_FROM: 'kits@issuer.example' }
    await using service = await startedService(settings)
    const client = await workspaceClient(service)
    const id = await client.submission()
    await client.upload(id, form({ 'a.txt': 'a' }))
    const { kit_id } = await client.ended(id)
    return await watch(service, 'the mail server is down', ['KitsealDeliveriesFailing'], async () => {
      const expires_at = new Date(Date.now() + 86_400_000).toISOString()
      const share = { kit_id, expires_at, recipients: ['ann@auditor.example'] }
      assert.equal((await client.post('/v1/shares', share)).status, 201)
      await until(() => isFailing(service, 'mail'))
    })
  },
  'the disk has less than the reserve': (watch) =>
    onSmallDisk(async (folder) => {
      const settings = { KITSEAL_DATA: join(folder, 'data'), KITSEAL_MIN_FREE_BYTES: `${16 * 1024 * 1024}` }
      await using service = await startedService(settings)
      const alerts = ['KitsealDiskBelowReserve']
      return await watch(service, 'the disk has less than the reserve', alerts, async () =>
        fill(join(folder, 'filler'), 0.15),
      )
    }),
  'an object is lost': async (watch) => {
    await using service = await startedService()
    await service.issue()
    return await watch(service, 'an object is lost', ['KitsealDamagedObjects'], async () => {
      await using store = await openStore(service.config)
      let bad = 0
      for await (const { sha256 } of scrubObjects(store)) await store.objects.delete(sha256)
      for await (const { finding } of scrubObjects(store)) bad += finding === undefined ? 0 : 1
      await noteScrub(store.db, store.clock, bad)
    })
  },
  'one request gets 500': async (watch) => {
    await using service = await startedService({ KITSEAL_WEBHOOK_ALLOW: '127.0.0.1' })
    const client = await adminClient(service)
    return await watch(service, 'one request gets 500', ['KitsealErrors'], async () => {
      await client.post('/v1/webhooks', { url: 'http://127.0.0.1:1' })
      await using store = await openStore(service.config)
      await store.db.updateTable('webhooks').set({ types: 'damaged', disabled_at: 'now' }).execute()
      const headers = { 'x-api-key': client.key }
      assert.equal((await fetch(`${service.base}/v1/webhooks`, { headers })).status, 500)
    })
  },
  'a webhook is late': async (watch) => {
    await using receiver = await webhookReceiver()
    let ahead = 0
    const clock = { now: () => Date.now() + ahead }
    await using service = await testService({ KITSEAL_WEBHOOK_ALLOW: '127.0.0.1' }, clock)
    const client = await adminClient(service)
    return await watch(service, 'a webhook is late', ['KitsealDeliveriesLate'], async () => {
      receiver.answer = () => 'hang'
      assert.equal((await client.post('/v1/webhooks', { url: receiver.url })).status, 201)
      await client.submission()
      ahead = 11 * 60_000
    })
  },
  'the backup is old': async (watch) => {
    await using service = await startedService()
    return await watch(service, 'the backup is old', ['KitsealBackupOld'], async () => {
      await using store = await openStore(service.config)
      const clock = { now: () => Date.now() - 8 * 86_400_000 }
      await noteTask(store.db, clock, BACKUP_NOTE, { missing: 0 })
    })
  },
  'the time-stamp authority does not answer': async (watch) => {
    if (noOpenssl !== false) return noOpenssl
    await using authority = await timeStampAuthority()
    authority.answer = () => undefined
    const settings = { KITSEAL_TSA_URL: authority.url, KITSEAL_TSA_ROOTS: authority.rootsFile }
    await using service = await startedService(settings)
    const alerts = ['KitsealTimeStampsMissing']
    return await watch(service, 'the time-stamp authority does not answer', alerts, () =>
      isUnstamped(service),
    )
  },
  'the certificate of the time-stamp authority is from another root': async (watch) => {
    if (noOpenssl !== false) return noOpenssl
    await using authority = await timeStampAuthority()
    await using other = await timeStampAuthority()
    const settings = { KITSEAL_TSA_URL: authority.url, KITSEAL_TSA_ROOTS: other.rootsFile }
    await using service = await startedService(settings)
    const name = 'the certificate of the time-stamp authority is from another root'
    return await watch(service, name, ['KitsealTimeStampsMissing'], () => isUnstamped(service))
  },
}

/** Only 1 has these: promtool replays from 1970 on, and looks a quarter of an hour after the fault began. */
const ONLY_LIVE = new Set(['the backup is old', 'one request gets 500'])

export const RECORDED: readonly (readonly [name: string, fault: Fault])[] = Object.entries(FAULTS).filter(
  ([name]) => !ONLY_LIVE.has(name),
)

/** Unlike other tests, on the clock of the machine. */
export const startedService = (
  settings: Environment = {},
  nodeClock = systemNodeClock,
): Promise<TestService> => testService(settings, undefined, { nodeClock })

async function adminClient(service: TestService) {
  const { workspaceId } = await workspaceClient(service)
  const key = await administer(service, ({ keys }) =>
    keys.create(workspaceId as never, { label: 'all', scopes: ['submit', 'admin'] }, { is: 'operator' }),
  )
  return { ...clientOf(service, workspaceId, key.text), key: key.text }
}

/** A kit makes a checkpoint that is to be stamped. */
async function isUnstamped({ post, metrics }: TestService): Promise<void> {
  await post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'a checkpoint' })
  await until(async () => /^kitseal_time_stamps_missing [1-9]/m.test(await metrics()))
}

const REQUESTS_A_SECOND = 5

/** Does the work while requests arrive, which need the database. */
export async function underLoad<Result>({ base }: TestService, work: () => Promise<Result>): Promise<Result> {
  const load = { isOver: false }
  const requests = Array.from({ length: REQUESTS_A_SECOND }, async () => {
    while (!load.isOver) {
      await fetch(`${base}/v1/intake/jobs/job_AAAAAAAAAAAAAAAAAAAAAA`).catch(() => {})
      await pause(1000)
    }
  })
  try {
    return await work()
  } finally {
    load.isOver = true
    await Promise.all(requests)
  }
}

/** Records what promtool replays. */
export const recordFault: Watch<RecordedFault> = async (service, name, alerts, begin) => {
  const recording = await underLoad(service, () => record(service.metrics, begin))
  // The disk of this machine has nothing to do with other faults.
  const isOfFault = (series: string): boolean => !series.startsWith('kitseal_disk_') || /disk/.test(name)
  return { name, alerts, recording: new Map([...recording].filter(([series]) => isOfFault(series))) }
}

async function isNotReady({ base }: TestService, check: string): Promise<boolean> {
  const response = await fetch(`${base}/readyz`)
  return response.status === 503 && (await response.text()).includes(check)
}

async function isFailing({ metrics }: TestService, channel: string): Promise<boolean> {
  const text = await metrics()
  return text.includes(`kitseal_deliveries_failing{channel="${channel}"} 1`)
}

async function onSmallDisk<Seen>(work: (folder: string) => Promise<Seen>): Promise<Seen | string> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0
  try {
    return mounted ? await work(folder) : 'cannot mount a file system here'
  } finally {
    if (mounted) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  }
}

/** Writes a file that leaves this part of the disk free. */
function fill(file: string, free: number): void {
  const { bavail, blocks, bsize } = statfsSync(join(file, '..'))
  writeFileSync(file, Buffer.alloc(Math.max(0, Math.floor(bavail - blocks * free)) * bsize))
}
