import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newDatabase, postgresServer } from '../../test/kit/postgres.ts'
import { startKitseal, startServer } from '../service/processes.ts'
import { clientOf, workspaceIn } from '../upload/workspace.ts'
import type { StepAccount } from './probe.ts'
import { submitOne } from './submit.ts'

/** What one small submission costs. */
export interface Account {
  /** By step, in their order. */
  readonly steps: ReadonlyMap<string, StepAccount>
  /** Of all threads, with those that write files and collect garbage. */
  readonly cpuMs: number
}

export interface Accounts extends Account {
  /** Of each, if many clients submit at once. Steps of different submissions overlap, so only sums have a meaning. */
  readonly together: Account
}

export type DatabaseName = 'SQLite' | 'PostgreSQL'

/** A service that takes thousands of submissions has compiled its code. Counts do not depend on it. */
const WARM = { times: 1000, counts: 100 }
const MEASURED = 100
export const TOGETHER = { clients: 32, measured: 800, pollMs: 100 }
/** While warming up, only the next submission waits for the poll. */
const WARM_POLL_MS = 10
/** Long enough that one poll finds the kit, because polls take processor time too. */
const POLL_MS = 40
export const STEPS = [
  'create',
  'receive',
  'claim',
  'examine',
  'binder',
  'seal',
  'verify',
  'pass',
  'log',
  'issue',
  'poll',
  'between requests',
] as const

/** Submits one after the other: first for processor time, then again for counts, which take time themselves. */
export async function accountFor(database: DatabaseName): Promise<Accounts> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
  const server =
    database === 'SQLite' ? undefined : await postgresServer({ fsync: 'on', full_page_writes: 'on' })
  try {
    const run = async (order: Order): Promise<Account> => {
      const url = server && { KITSEAL_DATABASE_URL: await newDatabase(server.url) }
      return measure(join(folder, order.name), { ...url }, order)
    }
    const alone = { clients: 1, measured: MEASURED, pollMs: POLL_MS }
    const timed = await run({ name: 'times', counts: false, ...alone })
    const counted = await run({ name: 'counts', counts: true, ...alone })
    const together = await run({ name: 'together', counts: true, ...TOGETHER })
    const steps = STEPS.map((step) => {
      const [time, count] = [timed.steps.get(step), counted.steps.get(step)]
      if (time === undefined || count === undefined) throw new Error(`no submission reached "${step}"`)
      return [step, { ...count, cpuMs: time.cpuMs, wallMs: time.wallMs }] as const
    })
    return { ...timed, steps: new Map(steps), together }
  } finally {
    await server?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Order {
  readonly name: string
  readonly counts: boolean
  readonly clients: number
  readonly measured: number
  readonly pollMs: number
}

async function measure(
  data: string,
  settings: Readonly<Record<string, string>>,
  { counts, clients, measured, pollMs }: Order,
): Promise<Account> {
  const sums = `${data}-sums`
  await mkdir(sums)
  const warm = counts ? WARM.counts : WARM.times
  let cpuMs = 0
  {
    await using service = await startKitseal(data, settings, {
      NODE_OPTIONS: `--import=${new URL('./probe.ts', import.meta.url).href}`,
      BENCH_ACCOUNT: sums,
      BENCH_WARM: String(warm),
      ...(counts ? { BENCH_COUNTS: '1' } : {}),
    })
    const client = await workspaceIn(service.base, { KITSEAL_DATA: data, ...settings })
    for (let at = 0; at < warm; at++) await submitOne(client, at, WARM_POLL_MS)
    const before = service.processorSeconds()
    let next = warm
    const submitting = Array.from({ length: clients }, async () => {
      while (next < warm + measured) await submitOne(client, next++, pollMs)
    })
    await Promise.all(submitting)
    cpuMs = ((service.processorSeconds() - before) * 1000) / measured
  }
  const steps = new Map<string, StepAccount>()
  for (const name of await readdir(sums)) {
    const found = JSON.parse(await readFile(join(sums, name), 'utf8')) as Record<string, StepAccount>
    for (const [step, account] of Object.entries(found)) {
      const each = Object.entries(account).map(([field, value]) => [field, Number(value) / measured])
      steps.set(step, Object.fromEntries(each) as unknown as StepAccount)
    }
  }
  return { steps, cpuMs }
}

/** The same requests to a server that only stores as many bytes, commits once and signs once. */
export async function bareCpuMs(kitBytes: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
  try {
    await using server = await startServer('bench/service/bare-submission-server.ts', [
      join(folder, 'data'),
      String(kitBytes),
    ])
    const client = clientOf(server.base, 'none')
    for (let at = 0; at < WARM.times; at++) await submitOne(client, at, WARM_POLL_MS)
    const before = server.processorSeconds()
    for (let at = 0; at < MEASURED; at++) await submitOne(client, WARM.times + at, POLL_MS)
    return ((server.processorSeconds() - before) * 1000) / MEASURED
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
