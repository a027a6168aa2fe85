import { Gauge, type Registry } from 'prom-client'

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
  const gauge: Gauge = new Gauge({
    name: 'kitseal_clock_skew_seconds',
    help: 'By how much the clock of this node is ahead of the one it differs most from: of the database, the object store or the file server.',
    registers: [registry],
    collect: () => gauge.set(largestSkew(references).skewMs / 1000),
  })
}

/** The first of them if they are equal. */
function largestSkew(references: readonly ClockReference[]): {
  readonly name: string
  readonly skewMs: number
} {
  let largest = { name: '', skewMs: 0 }
  for (const { name, skewMs: read } of references) {
    const skewMs = read()
    if (largest.name === '' || Math.abs(skewMs) > Math.abs(largest.skewMs) + TOLERANCE_MS)
      largest = { name, skewMs }
  }
  return largest
}

/** References are read at different moments. */
const TOLERANCE_MS = 5000
