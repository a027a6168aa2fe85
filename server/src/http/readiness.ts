import type { Registry } from 'prom-client'
import { gauge } from '../runtime/gauges.ts'
import { within } from '../runtime/promises.ts'
import type { Clock } from '../runtime/clock.ts'
import { Type } from 'typebox'
import { Refusal } from '../refusals.ts'
import type { Answer } from './resource.ts'
import { route } from './route.ts'

/** Checks one dependency. Rejects, or returns false or a reason, if it is unavailable. */
export type ReadyCheck = () => Promise<boolean | string>

/** What each check found: true, or why the node is not ready. */
export type ReadyResults = ReadonlyMap<string, boolean | string>

const FRESH_MS = 1000

/** Probes and scrapes share one check per second, so that frequent ones cost little. */
export function cachedChecks(
  clock: Clock,
  checks: Readonly<Record<string, ReadyCheck>>,
): () => Promise<ReadyResults> {
  let latest: { readonly at: number; readonly results: Promise<ReadyResults> } | undefined
  return () => {
    const now = clock.now()
    if (latest === undefined || Math.abs(now - latest.at) >= FRESH_MS)
      latest = { at: now, results: runChecks(checks) }
    return latest.results
  }
}

async function runChecks(checks: Readonly<Record<string, ReadyCheck>>): Promise<ReadyResults> {
  return new Map(
    await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, await inTime<boolean | string>(check(), false)] as const,
      ),
    ),
  )
}

/** What `/readyz` says, for alerts. */
export function registerReadyMetric(registry: Registry, results: () => Promise<ReadyResults>): void {
  const help = '1 if the check of /readyz succeeds, by check; otherwise 0.'
  const read = async () =>
    new Map([...(await results())].map(([check, result]) => [check, result === true ? 1 : 0]))
  gauge(registry, 'kitseal_ready', help, read, 'check')
}

interface Readiness {
  results(): Promise<ReadyResults>
  isStopping(): boolean
}

const returns: Answer<string> = {
  schema: Type.Object({ status: Type.String() }),
  show: (status) => ({ status }),
}

export const healthRoutes = [
  route('getHealth', 'GET /healthz', {
    group: 'Operation',
    summary: 'Liveness probe',
    description: '200 as long as the process answers.',
    returns,
    run: async () => 'ok',
  }),
  route('getReadiness', 'GET /readyz', {
    group: 'Operation',
    summary: 'Readiness probe',
    description:
      '503 while the database or the object store is unavailable, the disk is full, the clock is wrong, or the service is shutting down. The message says why.',
    returns,
    async run({ results, isStopping }: Readiness) {
      const retry = { headers: { 'retry-after': '2' } }
      if (isStopping()) throw new Refusal('stopping', 'The service is shutting down.', retry)
      const names = failing(await results())
      if (names.length > 0) throw new Refusal('store_unavailable', `Not ready: ${names.join(', ')}.`, retry)
      return 'ready'
    },
  }),
]

const failing = (results: ReadyResults): readonly string[] =>
  [...results]
    .filter(([, result]) => result !== true)
    .map(([name, result]) => (typeof result === 'string' ? `${name} (${result})` : name))

/** Probes and scrapes give up soon. */
const TIMEOUT_MS = 3000

/** The value, or `late` if it fails or takes longer than three seconds. */
export function inTime<T>(value: Promise<T>, late: T): Promise<T> {
  return within(
    TIMEOUT_MS,
    value.catch(() => late),
    late,
  )
}

/** Another clock, and by how much the clock of this machine is ahead of it. */
export interface ClockReference {
  /** "the database's" */
  readonly name: string
  skewMs(): number
}

const MAX_SKEW_MS = 30_000

/** Why a node with this skew is not ready, if it is not. Its times are right if they are the database's; its clock is not. */
export function skewProblem(references: readonly ClockReference[]): string | undefined {
  const { name, skewMs } = largestSkew(references)
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ${name}`
}

export function registerClockMetric(registry: Registry, references: readonly ClockReference[]): void {
  const help =
    'By how much the clock of this node is ahead of the one it differs most from: of the database, the object store or the file server.'
  gauge(registry, 'kitseal_clock_skew_seconds', help, () => largestSkew(references).skewMs / 1000)
}

/** The first of them if they are equal. */
function largestSkew(references: readonly ClockReference[]) {
  const [first = { name: '', skewMs: 0 }, ...others] = references.map(({ name, skewMs }) => {
    return { name, skewMs: skewMs() }
  })
  return others.reduce(
    (largest, each) => (Math.abs(each.skewMs) > Math.abs(largest.skewMs) + TOLERANCE_MS ? each : largest),
    first,
  )
}

/** References are read at different moments. */
const TOLERANCE_MS = 5000
