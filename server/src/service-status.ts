import { statfs } from 'node:fs/promises'
import { Registry } from 'prom-client'
import description from '../package.json' with { type: 'json' }
import type { Db } from './database/schema.ts'
import { isShared } from './database/dialect.ts'
import { readNote } from './database/task-notes.ts'
import { readLastMail } from './deliveries/mail-status.ts'
import { measureDeliveries } from './deliveries/delivery-tasks.ts'
import { cachedChecks, type ReadyResults } from './http/readiness.ts'
import { frozenOf } from './log/freeze-log.ts'
import { readLog } from './log/log-key.ts'
import { BACKUP_NOTE, type BackupNote } from './maintenance/backup.ts'
import { scrubReport } from './maintenance/scrub-objects.ts'
import { taskReports } from './maintenance/task-progress.ts'
import { openStore, type Store } from './open-store.ts'
import { foldersOf, readyChecks } from './ready-checks.ts'
import { type Clock, timestamp } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import { type ServiceFacts, serviceChecks } from './site/service-checks.ts'
import type { ConsoleResponse } from './site/response-schemas.ts'
import { SEAL } from './submissions/statuses.ts'
import { oldestUnfinished } from './submissions/job-queue.ts'
import { listNodes } from './work/nodes.ts'

export const VERSION = description.version

export type ServiceStatus = ConsoleResponse<'ServiceStatus'>

interface StatusContext {
  readonly config: Config
  readonly store: Pick<Store, 'db' | 'clock'>
  /** Undefined if it is not set and no node runs in this process. */
  readonly issuer: string | undefined
}

/** What the page of operators and `kitseal admin status` show. `ready` is what the checks of /readyz found. */
export async function describeService(
  { config, store: { db, clock }, issuer }: StatusContext,
  ready: ReadyResults,
): Promise<ServiceStatus> {
  const [nodes, queue, mail, reports, backup, keys, log, used] = await Promise.all([
    listNodes(db, clock),
    readQueue(db, clock),
    readMail(db, clock, config),
    taskReports(db),
    readNote<BackupNote>(db, BACKUP_NOTE),
    db
      .selectFrom('signing_keys')
      .select(['kid', 'state', 'created_at'])
      .orderBy('created_at', 'desc')
      .execute(),
    describeLog(db),
    db
      .selectFrom('workspaces')
      .select((eb) => eb.fn.sum<number | string | null>('stored_bytes').as('bytes'))
      .executeTakeFirst(),
  ])
  const scrub = scrubReport(reports)
  const { isFailing, ...ofMail } = mail
  const facts: ServiceFacts = {
    nodes,
    storage: {
      used_bytes: Number(used?.bytes ?? 0),
      objects: config.objects.is,
      database: isShared(db) ? 'postgres' : 'sqlite',
      disks: await readDisks(config),
    },
    queue,
    mail: ofMail,
    backup: backup === undefined ? null : { finished_at: backup.at, missing: backup.state.missing },
    scrub: {
      finished_at: scrub.finishedAt,
      damaged: scrub.bad,
    },
    signing_keys: keys,
    log,
  }
  return {
    at: timestamp(clock.now()),
    version: VERSION,
    issuer: issuer ?? null,
    checks: serviceChecks(ready, facts, { isMailFailing: isFailing, now: clock.now() }),
    ...facts,
  }
}

/** Beside a service that may be down, if its database can be read. */
export async function readServiceStatus(config: Config): Promise<ServiceStatus> {
  await using store = await openStore(config)
  const nodes = await listNodes(store.db, store.clock)
  const worker = { healthy: () => nodes.some(({ is_running, role }) => is_running && role !== 'api') }
  const checks = await readyChecks({ config, store, worker: () => worker }, new Registry())
  const ready = await cachedChecks(store.clock, checks)()
  return await describeService({ config, store, issuer: config.issuer }, ready)
}

async function readQueue(db: Db, clock: Clock): Promise<ServiceStatus['queue']> {
  const { all, running } = await db
    .selectFrom('tasks')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('all'),
      eb.fn
        .sum<number | string | null>(
          eb.case().when('held_until', '>', timestamp(clock.now())).then(1).else(0).end(),
        )
        .as('running'),
    ])
    .where('kind', '=', SEAL)
    .executeTakeFirstOrThrow()
  return {
    waiting: Number(all) - Number(running ?? 0),
    running: Number(running ?? 0),
    oldest_at: (await oldestUnfinished(db)) ?? null,
  }
}

async function readMail(db: Db, clock: Clock, { mail }: Config) {
  const { sentAt, failedAt, problem, isFailing } = await readLastMail(db)
  const waiting = (await measureDeliveries(db, clock)).get('mail')?.pending ?? 0
  return {
    is_on: mail !== undefined,
    waiting,
    last_sent_at: sentAt,
    last_failed_at: failedAt,
    last_problem: problem,
    isFailing,
  }
}

async function readDisks(config: Config): Promise<ServiceStatus['storage']['disks']> {
  const disks = Object.entries(foldersOf(config)).map(async ([folder, path]) => {
    const disk = await statfs(path).catch(() => undefined)
    if (disk === undefined) return []
    return [{ folder, free_bytes: disk.bavail * disk.bsize, size_bytes: disk.blocks * disk.bsize }]
  })
  return (await Promise.all(disks)).flat()
}

async function describeLog(db: Db): Promise<ServiceStatus['log']> {
  const log = await readLog(db)
  if (log === undefined) return null
  const { count } = await db
    .selectFrom('log_leaves')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('leaf_index', 'is', null)
    .executeTakeFirstOrThrow()
  const frozen = frozenOf(log)
  return {
    origin: log.origin,
    size: log.size,
    updated_at: log.updated_at,
    waiting: Number(count),
    frozen: frozen === undefined ? null : { since: frozen.at, reason: frozen.reason },
    witnesses: await db
      .selectFrom('log_witnesses')
      .select(['name', 'size', 'cosigned_at', 'problem'])
      .orderBy('name')
      .execute(),
  }
}
