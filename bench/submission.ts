import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { newDatabase, postgresServer } from '../test/kit/postgres.ts'
import type { DatabaseName } from './account/account.ts'
import { reportAccount } from './account/report-account.ts'
import { submitOne } from './account/submit.ts'
import { quantile, reportFact, reportFigure } from './report.ts'
import { residentMb, startKitseal } from './service/processes.ts'
import { seedWaitingJobs, waitingJobs } from './service/seed-jobs.ts'
import { workspaceIn } from './upload/workspace.ts'
import { run } from './verify/run.ts'

/**
 * `npm run bench:submission [-- account|rate|memory|load|fair|start [SQLite|PostgreSQL]]`: what one small submission costs, step
 * by step, many at a fixed rate, the memory that takes, many at once, one while another workspace has thousands waiting, and a cold start.
 */

/** Warm-up: the first seconds of a service are not representative. */
const WARM = 200
const RATES_PER_SECOND = [2, 5, 10] as const
const RATE_SECONDS = 8
const MEMORY = { perSecond: 30, seconds: 60, mb: 256 }
/** Clients poll ten times a second. The service asks for once (`Retry-After`), and more often measures the polls. */
const LOAD = { clients: 32, warm: 500, submissions: 2000, pollMs: 100 }
const LOAD_PER_SECOND: Readonly<Record<DatabaseName, number>> = { SQLite: 70, PostgreSQL: 48 }
const FAIR = { waiting: 10_000, submissions: 5, seconds: 1 }
const STARTS = 7

const [, , only, onlyOn] = process.argv
const databases = (['SQLite', 'PostgreSQL'] as const).filter(
  (each) => onlyOn === undefined || onlyOn === each,
)
const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores, loopback.\n`)
  const parts = { account, rate, memory, load, fair, start }
  for (const [name, part] of Object.entries(parts))
    if (only === undefined || only === name) await part(join(folder, name))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function account(): Promise<void> {
  for (const database of databases) await reportAccount(database)
  const bare = await Promise.all([1, 2, 3].map(() => run([process.execPath, '-e', '0'])))
  reportFact('for comparison, `node -e 0` on this machine', `${(quantile(bare, 0.5) * 1000).toFixed(0)} ms`)
}

/** A running service with a workspace, on the one database or the other. */
async function startOn(database: DatabaseName, data: string, more: Readonly<Record<string, string>> = {}) {
  const server =
    database === 'SQLite' ? undefined : await postgresServer({ fsync: 'on', full_page_writes: 'on' })
  const settings = server === undefined ? {} : { KITSEAL_DATABASE_URL: await newDatabase(server.url) }
  const service = await startKitseal(data, { ...settings, ...more })
  const client = await workspaceIn(service.base, { KITSEAL_DATA: data, ...settings })
  for (let count = 0; count < WARM; count++) await submitOne(client, count)
  return {
    client,
    service,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await service[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    },
  }
}

/** At a fixed rate, even if the service falls behind: queueing time counts. */
async function rate(data: string): Promise<void> {
  await using started = await startOn('SQLite', data)
  let next = WARM
  for (const perSecond of RATES_PER_SECOND) {
    const times = await atRate(perSecond, () => submitOne(started.client, next++))
    reportFact(
      `small submissions at ${perSecond} a second, create to ISSUED`,
      `p50 ${quantile(times, 0.5).toFixed(0)} ms, p90 ${quantile(times, 0.9).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    )
  }
}

async function atRate(
  perSecond: number,
  work: () => Promise<number>,
  seconds = RATE_SECONDS,
): Promise<readonly number[]> {
  const begin = performance.now()
  const running: Promise<number>[] = []
  for (let count = 0; count < perSecond * seconds; count++) {
    const due = begin + (count * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const one = work().then(() => performance.now() - due)
    // Thrown below, after the service has been ended: an unhandled rejection would leave it running.
    one.catch(() => {})
    running.push(one)
  }
  return await Promise.all(running)
}

/** The service and its child processes together, at a rate that it must keep up with. */
async function memory(data: string): Promise<void> {
  await using started = await startOn('SQLite', data)
  let next = WARM
  let peakMb = 0
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(started.service.pid))), 250)
  const submit = () => submitOne(started.client, next++, LOAD.pollMs)
  const times = await atRate(MEMORY.perSecond, submit, MEMORY.seconds).finally(() => clearInterval(watch))
  reportFigure({
    what: `resident memory of the service at ${MEMORY.perSecond} small submissions a second for ${MEMORY.seconds} s, at its peak`,
    against: `${MEMORY.mb} MB`,
    ours: `${peakMb.toFixed(0)} MB`,
    theirs: `${MEMORY.mb} MB`,
    ratio: peakMb / MEMORY.mb,
    goal: { below: 1 },
  })
  reportFact('the slowest of them, from when it was due', `${quantile(times, 1).toFixed(0)} ms`)
}

/** As fast as one service takes them, from many clients at once. */
async function load(data: string): Promise<void> {
  for (const database of databases) {
    await using started = await startOn(database, `${data}-${database}`)
    let next = 0
    const submitUntil = (count: number) =>
      Promise.all(
        Array.from({ length: LOAD.clients }, async () => {
          while (next < count) await submitOne(started.client, WARM + next++, LOAD.pollMs)
        }),
      )
    await submitUntil(LOAD.warm)
    const [wall, processor] = [performance.now(), started.service.processorSeconds()]
    await submitUntil(LOAD.warm + LOAD.submissions)
    const seconds = (performance.now() - wall) / 1000
    const cpuMs = ((started.service.processorSeconds() - processor) * 1000) / LOAD.submissions
    const perSecond = LOAD.submissions / seconds
    reportFigure({
      what: `small submissions on ${database} from ${LOAD.clients} clients at once, one node, polled every ${LOAD.pollMs} ms`,
      against: `${LOAD_PER_SECOND[database]} a second`,
      ours: `${perSecond.toFixed(0)}/s`,
      theirs: `${LOAD_PER_SECOND[database]}/s`,
      ratio: perSecond / LOAD_PER_SECOND[database],
      goal: { least: 1 },
    })
    reportFact(`processor time of each, with its polls, on ${database}`, `${cpuMs.toFixed(1)} ms`)
  }
}

/** One workspace has thousands of jobs waiting. How long does the single submission of another take? */
async function fair(data: string): Promise<void> {
  // One workspace may take up nine tenths of the queue.
  await using started = await startOn('SQLite', data, { KITSEAL_MAX_QUEUE: String(FAIR.waiting * 2) })
  const other = await workspaceIn(started.service.base, { KITSEAL_DATA: data })
  const times = async (): Promise<readonly number[]> => {
    const all: number[] = []
    for (let count = 0; count < FAIR.submissions; count++) all.push(await submitOne(other, WARM + count, 20))
    return all
  }
  const alone = quantile(await times(), 1)
  seedWaitingJobs(data, FAIR.waiting)
  const beside = quantile(await times(), 1)
  const left = waitingJobs(data)
  if (left < FAIR.waiting / 10) throw new Error(`only ${left} of ${FAIR.waiting} jobs were still waiting`)
  reportFigure({
    what: `the slowest of ${FAIR.submissions} submissions while another workspace has ${FAIR.waiting} jobs waiting, more than without them`,
    against: `${FAIR.seconds} s`,
    ours: `${(beside - alone).toFixed(0)} ms`,
    theirs: `${FAIR.seconds} s`,
    ratio: (beside - alone) / 1000 / FAIR.seconds,
    goal: { most: 1 },
  })
}

/** Cold start: an empty folder, a new key, a new database. */
async function start(data: string): Promise<void> {
  const ours: number[] = []
  const bare: number[] = []
  for (let count = 0; count < STARTS; count++) {
    const started = performance.now()
    await using service = await startKitseal(`${data}-${count}`)
    while ((await fetch(`${service.base}/readyz`)).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 5))
    ours.push(performance.now() - started)
    bare.push((await run([process.execPath, '-e', '0'])) * 1000)
  }
  reportFact(
    'first start in an empty folder, to ready, against `node -e 0`',
    `${quantile(ours, 0.5).toFixed(0)} ms against ${quantile(bare, 0.5).toFixed(0)} ms`,
  )
}
