import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../runtime/clock.ts'
import { inTime } from './in-time.ts'

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
  const gauge: Gauge = new Gauge({
    name: 'kitseal_ready',
    help: '1 if the check of /readyz succeeds, by check; otherwise 0.',
    labelNames: ['check'],
    registers: [registry],
    collect: async (): Promise<void> => {
      for (const [check, result] of await results()) gauge.set({ check }, result === true ? 1 : 0)
    },
  })
}
