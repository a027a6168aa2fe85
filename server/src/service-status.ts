import description from '../package.json' with { type: 'json' }
import { countWaiting, readWitnesses } from './log/log-status.ts'
import { statfs } from 'node:fs/promises'
import { Registry } from 'prom-client'
import type { Db } from './database/schema.ts'
import { isShared } from './database/dialect.ts'
import { readNote, forgetNotes, noteTask, readNotes } from './database/task-notes.ts'
import { readLastMail } from './deliveries/mail.ts'
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
import type { Config, Role } from './settings/config.ts'
import type { ConsoleResponse } from './site/response-schemas.ts'
import { SEAL } from './submissions/statuses.ts'
import { oldestUnfinished } from './submissions/job-queue.ts'

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
  const waiting = (await measureDeliveries(db, clock)).mail.pending
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
  const frozen = frozenOf(log)
  return {
    origin: log.origin,
    size: log.size,
    updated_at: log.updated_at,
    waiting: await countWaiting(db),
    frozen: frozen === undefined ? null : { since: frozen.at, reason: frozen.reason },
    witnesses: await readWitnesses(db),
  }
}

type Check = ServiceStatus['checks'][number]

/** What the checks are about. */
type ServiceFacts = Omit<ServiceStatus, 'at' | 'version' | 'issuer' | 'checks'>

interface More {
  readonly isMailFailing: boolean
  readonly now: number
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The others are those of deploy/prometheus/alerts.yaml. */
const BACKUP_DAYS = 7
const SCRUB_DAYS = 14

/** The checks of /readyz, then what operators look at every day. */
function serviceChecks(ready: ReadyResults, facts: ServiceFacts, more: More): readonly Check[] {
  const own = Object.entries(CHECKS).flatMap(([check, look]): readonly Check[] => {
    const found = look(facts, more)
    if (found === 'nothing to check') return []
    if (found === 'ok') return [{ check, status: 'ok', problem: null }]
    return [{ check, status: found[0], problem: found[1] }]
  })
  return [...[...ready].map(ofReadiness), ...own]
}

const ofReadiness = ([check, result]: readonly [string, boolean | string]): Check =>
  result === true
    ? { check, status: 'ok', problem: null }
    : {
        check,
        status: 'fail',
        problem:
          typeof result === 'string' ? `${sentence(result)}` : (NOT_READY[check] ?? 'It does not answer.'),
      }

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

const NOT_READY: Readonly<Record<string, string>> = {
  signing_key: 'There is no active signing key. Run "kitseal admin signing-key rotate".',
  work: 'No node works on jobs, so no kits are issued. Start the service.',
}

/** What is not set up, or has not run yet, is not called fine. */
type Found = readonly [status: 'warn' | 'fail', problem: string] | 'ok' | 'nothing to check'

const CHECKS: Readonly<Record<string, (facts: ServiceFacts, more: More) => Found>> = {
  nodes: ({ nodes }) =>
    nodes.some(({ is_running }) => is_running) ? 'ok' : ['fail', 'The service is not running. Start it.'],
  queue: ({ queue: { oldest_at } }, { now }) =>
    oldest_at === null || now - Date.parse(oldest_at) <= MINUTE_MS
      ? 'ok'
      : ['warn', 'A job waits for more than a minute. Look at the log of the workers.'],
  mail: ({ mail: { is_on, last_sent_at, last_problem } }, { isMailFailing }) => {
    if (!is_on) return 'nothing to check'
    if (isMailFailing) return ['warn', `The last mail could not be delivered: ${last_problem ?? ''}`]
    return last_sent_at === null ? 'nothing to check' : 'ok'
  },
  backup: ({ backup }, { now }) => {
    if (backup === null) return ['warn', 'No backup is known. Run "kitseal admin backup DIR" every day.']
    if (backup.missing > 0)
      return ['warn', `The last backup lacks ${backup.missing} missing or damaged objects.`]
    return now - Date.parse(backup.finished_at) > BACKUP_DAYS * DAY_MS
      ? ['warn', 'The last backup is older than a week. Run "kitseal admin backup DIR" every day.']
      : 'ok'
  },
  scrub: ({ scrub: { finished_at, damaged } }, { now }) => {
    if (damaged > 0)
      return ['fail', `Missing or damaged objects: ${damaged}. Run "kitseal admin scrub", which names them.`]
    if (finished_at === null) return 'nothing to check'
    return now - Date.parse(finished_at) > SCRUB_DAYS * DAY_MS
      ? ['warn', 'No scrub has finished for two weeks. Look for "maintenance failed" in the log.']
      : 'ok'
  },
  witnesses: ({ log }) => {
    const witnesses = log?.witnesses ?? []
    if (witnesses.length === 0) return 'nothing to check'
    const failing = witnesses.filter(({ problem }) => problem !== null)
    return failing.length === 0
      ? 'ok'
      : ['warn', `No cosignature from ${failing.map(({ name }) => name).join(', ')}.`]
  },
}

/** A process of the service, as it describes itself. */
interface NodeState {
  /** Host name and process ID. */
  readonly name: string
  readonly role: Role
  readonly version: string
  readonly started_at: string
}

const PREFIX = 'node '
/** Three times as long as between two signs of life. */
const GONE_MS = 90_000
/** A node that ended without saying so is listed this long. */
const FORGOTTEN_MS = 60 * 60_000

/** Says that this node runs. */
export async function recordNode(db: Db, clock: Clock, id: string, node: NodeState): Promise<void> {
  await noteTask(db, clock, PREFIX + id, node)
  await forgetNotes(db, PREFIX, timestamp(clock.now() - FORGOTTEN_MS))
}

/** When it stops. */
export const forgetNode = (db: Db, id: string): Promise<void> => forgetNotes(db, PREFIX + id)

async function listNodes(db: Db, clock: Clock) {
  return (await readNotes<NodeState>(db, PREFIX)).map(({ at, state }) => {
    const is_running = Date.parse(at) > clock.now() - GONE_MS
    return Object.assign(state, { seen_at: at, is_running })
  })
}
