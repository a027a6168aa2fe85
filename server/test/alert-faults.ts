import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../src/open-store.ts'
import { systemNodeClock } from '../src/database/database-clock.ts'
import type { Environment } from '../src/index.ts'
import { readObjectsLocation } from '../src/settings/objects-location.ts'
import { type RecordedFault, record } from './alert-tests.ts'
import { cutProxy } from './cut-proxy.ts'
import { newDatabase, postgresServer } from './postgres-server.ts'
import { type TestService, testService } from './test-service.ts'
import { until } from './until.ts'
import { webhookReceiver } from './webhook-receiver.ts'
import { administer, clientOf, form, workspaceClient } from './workspace-client.ts'

/** Makes a fault in a running service, and returns what was recorded; a text if it cannot be made here. */
export type Fault = () => Promise<RecordedFault | string>

export const FAULTS: Readonly<Record<string, Fault>> = {
  healthy: async () => {
    await using service = await startedService()
    const { key, workspaceId } = await workspaceClient(service)
    const client = clientOf(service, workspaceId, key)
    return await faultOf(service, 'healthy', [], async () => {
      const id = await client.submission()
      await client.upload(id, form({ 'a.txt': 'a' }))
      await client.ended(id)
    })
  },
  'the node is down': async () => {
    await using service = await startedService()
    return await faultOf(service, 'the node is down', ['KitsealDown'], () => service.service.stop())
  },
  'the database is down': async () => {
    await using server = await postgresServer()
    await using service = await startedService({ KITSEAL_DATABASE_URL: await newDatabase(server.url) })
    return await faultOf(service, 'the database is down', ['KitsealDatabaseUnavailable'], async () => {
      await server.stop()
      await until(() => isNotReady(service, 'database'))
    })
  },
  'the database does not answer': async () => {
    await using server = await postgresServer()
    const url = new URL(await newDatabase(server.url))
    await using proxy = await cutProxy(`http://${url.host}`)
    url.host = new URL(proxy.url).host
    await using service = await startedService({ KITSEAL_DATABASE_URL: url.href })
    return await faultOf(
      service,
      'the database does not answer',
      ['KitsealDatabaseUnavailable'],
      async () => {
        proxy.swallow()
        await until(() => isNotReady(service, 'database'))
      },
    )
  },
  'the object store does not answer': async () => {
    const location = readObjectsLocation(process.env['KITSEAL_TEST_OBJECTS'] ?? '')
    if (location?.is !== 's3' || location.endpoint === undefined)
      return 'no S3 server: "npm run test:s3" starts one'
    await using proxy = await cutProxy(location.endpoint)
    const { bucket, prefix, region } = location
    const objects = `s3://${bucket}/${prefix}silent-${Date.now()}?endpoint=${proxy.url}&region=${region}&path_style=true`
    await using service = await startedService({ KITSEAL_OBJECTS: objects, KITSEAL_LOG_MARK: undefined })
    const alerts = ['KitsealObjectsUnavailable']
    return await faultOf(service, 'the object store does not answer', alerts, async () => {
      proxy.swallow()
      await until(() => isNotReady(service, 'objects'))
    })
  },
  'the disk is full': () =>
    onSmallDisk(async (folder) => {
      await using service = await startedService({ KITSEAL_DATA: join(folder, 'data') })
      const alerts = ['KitsealDiskFull', 'KitsealDiskNearlyFull']
      return await faultOf(service, 'the disk is full', alerts, async () => {
        fill(join(folder, 'filler'), 0)
        await until(() => isNotReady(service, 'disk'))
      })
    }),
  'the disk is nearly full': () =>
    onSmallDisk(async (folder) => {
      await using service = await startedService({ KITSEAL_DATA: join(folder, 'data') })
      return await faultOf(service, 'the disk is nearly full', ['KitsealDiskNearlyFull'], async () =>
        fill(join(folder, 'filler'), 0.05),
      )
    }),
  'the clock is two hours ahead': async () => {
    const node = { ...systemNodeClock, aheadMs: 0, now: () => Date.now() + node.aheadMs }
    await using service = await startedService({}, node)
    return await faultOf(service, 'the clock is two hours ahead', ['KitsealClockSkew'], async () => {
      node.aheadMs = 2 * 3_600_000
      await until(() => isNotReady(service, 'clock'))
    })
  },
  'the log is frozen': async () => {
    await using service = await startedService()
    return await faultOf(service, 'the log is frozen', ['KitsealJobsOld', 'KitsealLogFrozen'], async () => {
      await using store = await openStore(service.config)
      await store.db.updateTable('log').set({ frozen_at: 'now', frozen_reason: 'a test' }).execute()
      await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'waits' })
      await until(() => isNotReady(service, 'log'))
    })
  },
  'nobody works on jobs': async () => {
    await using service = await startedService({ KITSEAL_ROLE: 'api' })
    // A worker creates it.
    mkdirSync(join(service.dataFolder, 'objects'), { recursive: true })
    return await faultOf(service, 'nobody works on jobs', ['KitsealJobsOld'], async () => {
      const created = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'waits' })
      assert.equal(created.status, 202)
    })
  },
  'the receiver of a webhook fails': async () => {
    await using receiver = await webhookReceiver()
    receiver.answer = () => 500
    await using service = await startedService({ KITSEAL_WEBHOOK_ALLOW: '127.0.0.1' })
    const { workspaceId } = await workspaceClient(service)
    const key = await administer(service, ({ keys }) =>
      keys.create(workspaceId as never, { label: 'all', scopes: ['submit', 'admin'] }, { is: 'operator' }),
    )
    const client = clientOf(service, workspaceId, key.text)
    return await faultOf(
      service,
      'the receiver of a webhook fails',
      ['KitsealDeliveriesFailing'],
      async () => {
        assert.equal((await client.post('/v1/webhooks', { url: receiver.url })).status, 201)
        await client.submission()
        await until(() => isFailing(service, 'webhook'))
      },
    )
  },
  'the mail server is down': async () => {
    const settings = { KITSEAL_SMTP_URL: 'smtp://127.0.0.1:1', KITSEAL_MAIL_FROM: 'kits@issuer.example' }
    await using service = await startedService(settings)
    const client = await workspaceClient(service)
    const id = await client.submission()
    await client.upload(id, form({ 'a.txt': 'a' }))
    const { kit_id } = await client.ended(id)
    return await faultOf(service, 'the mail server is down', ['KitsealDeliveriesFailing'], async () => {
      const expires_at = new Date(Date.now() + 86_400_000).toISOString()
      const share = { kit_id, expires_at, recipients: ['ann@auditor.example'] }
      assert.equal((await client.post('/v1/shares', share)).status, 201)
      await until(() => isFailing(service, 'mail'))
    })
  },
}

/** Unlike other tests, on the clock of the machine. */
export const startedService = (
  settings: Environment = {},
  nodeClock = systemNodeClock,
): Promise<TestService> => testService(settings, undefined, { nodeClock })

const REQUESTS_A_SECOND = 5

/** Records while requests arrive, which need the database. */
export async function faultOf(
  { base, metrics }: TestService,
  name: string,
  alerts: readonly string[],
  begin: () => Promise<void>,
): Promise<RecordedFault> {
  const load = { isOver: false }
  const requests = Array.from({ length: REQUESTS_A_SECOND }, async () => {
    while (!load.isOver) {
      await fetch(`${base}/v1/intake/jobs/job_AAAAAAAAAAAAAAAAAAAAAA`).catch(() => {})
      await pause(1000)
    }
  })
  const recording = await record(metrics, begin)
  load.isOver = true
  await Promise.all(requests)
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

async function onSmallDisk(
  work: (folder: string) => Promise<RecordedFault>,
): Promise<RecordedFault | string> {
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
