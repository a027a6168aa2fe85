import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { Type } from 'typebox'
import type { Load } from './overload.ts'

export interface Metrics {
  readonly registry: Registry
  jobEnded(result: 'issued' | 'failed' | 'given back' | 'lost'): void
}

export interface Measured {
  readonly load: Load
  waitingJobs(): Promise<number>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const ended = new Counter({
    name: 'kitseal_job_attempts_total',
    help: 'Attempts at jobs by how they ended.',
    labelNames: ['result'],
    registers: [registry],
  })
  return { registry, jobEnded: (result) => ended.inc({ result }) }
}

export function registerMetrics(app: FastifyInstance, { registry }: Metrics, measured: Measured): void {
  collectDefaultMetrics({ register: registry, prefix: 'kitseal_' })
  gauge(registry, 'kitseal_http_in_flight', 'Requests being served.', () => measured.load.inFlight())
  gauge(registry, 'kitseal_jobs_waiting', 'Jobs that wait for a worker or are in its hands.', () =>
    measured.waitingJobs(),
  )
  timeRequests(app, registry)
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        tags: ['Operation'],
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) =>
      reply
        .type(registry.contentType)
        .serializer((text: unknown) => text as string)
        .send(await registry.metrics()),
  )
}

function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const made: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async (): Promise<void> => made.set(await read()),
  })
}

/** Labels are looked up once per route and status: doing it for each request would cost as much as routing it. */
function timeRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'kitseal_http_request_duration_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const series = new Map<string, { observe(value: number): void }>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const key = `${request.method} ${reply.statusCode} ${route}`
    let timer = series.get(key)
    if (timer === undefined) {
      timer = seconds.labels(request.method, route, `${reply.statusCode}`)
      series.set(key, timer)
    }
    timer.observe(reply.elapsedTime / 1000)
    done()
  })
}
