import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import { Type } from 'typebox'
import type { Load } from './load.ts'
import { errors } from './route-schemas.ts'
import type { RequestTimes } from './request-times.ts'

export interface Metrics {
  readonly registry: Registry
  jobEnded(result: 'issued' | 'failed' | 'given back' | 'lost'): void
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
  return { registry, jobEnded: (result) => ended.inc({ result }) }
}

export function registerMetrics(app: FastifyInstance, { registry }: Metrics, measured: Measured): void {
  collectDefaultMetrics({ register: registry, prefix: 'kitseal_' })
  gauge(registry, 'kitseal_http_in_flight', 'Requests in progress whose body has arrived.', () =>
    measured.load.inFlight(),
  )
  gauge(registry, 'kitseal_http_arriving', 'Requests whose body is still arriving.', () =>
    measured.load.arriving(),
  )
  gauge(registry, 'kitseal_jobs_waiting', 'Jobs queued or in progress.', () => measured.waitingJobs())
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        description: 'Counters and gauges in the Prometheus text format.',
        tags: ['Operation'],
        response: {
          200: { description: 'Metrics.', content: { 'text/plain': { schema: Type.String() } } },
          ...errors(401),
        },
      },
    },
    async (_request, reply) =>
      reply
        .type(registry.contentType)
        .serializer((text: unknown) => text as string)
        .send((await registry.metrics()) + measured.times.text()),
  )
}

function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const created: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async (): Promise<void> => created.set(await read()),
  })
}
