import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { Load } from './load.ts'
import type { RequestTimes } from './request-times.ts'

export interface Metrics {
  readonly registry: Registry
  jobEnded(result: 'issued' | 'failed' | 'given back' | 'lost'): void
  /** Adds what the HTTP server measures. */
  measure(measured: Measured): void
  /** In the Prometheus text format. */
  text(): Promise<string>
}

export interface Measured {
  readonly load: Load
  readonly times: RequestTimes
  waitingJobs(): Promise<number>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const ended = new Counter({
    name: 'kitseal_job_attempts_total',
    help: 'Job attempts by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  collectDefaultMetrics({ register: registry, prefix: 'kitseal_' })
  let times: RequestTimes | undefined
  return {
    registry,
    jobEnded: (result) => ended.inc({ result }),
    measure: (measured) => {
      gauge(registry, 'kitseal_http_in_flight', 'Requests in progress whose body has arrived.', () =>
        measured.load.inFlight(),
      )
      gauge(registry, 'kitseal_http_arriving', 'Requests whose body is still arriving.', () =>
        measured.load.arriving(),
      )
      gauge(registry, 'kitseal_jobs_waiting', 'Jobs queued or in progress.', () => measured.waitingJobs())
      times = measured.times
    },
    text: async () => (await registry.metrics()) + (times?.text() ?? ''),
  }
}

function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const created: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async (): Promise<void> => created.set(await read()),
  })
}
