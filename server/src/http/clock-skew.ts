import { Gauge, type Registry } from 'prom-client'

const MAX_SKEW_MS = 30_000

/** Why a node with this skew is not ready, if it is not. Its times are right, because they are the database's; its clock is not. */
export function skewProblem(skewMs: number): string | undefined {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`
}

export function registerClockMetric(registry: Registry, skewMs: () => number): void {
  const gauge: Gauge = new Gauge({
    name: 'kitseal_clock_skew_seconds',
    help: "By how much the clock of this node is ahead of the database's.",
    registers: [registry],
    collect: () => gauge.set(skewMs() / 1000),
  })
}
