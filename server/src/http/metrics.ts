import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Registry } from 'prom-client'
import { gauge } from '../runtime/gauges.ts'
import type { Load } from './load.ts'
import type { RequestTimes } from './observe-requests.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MetricsListen } from '../settings/config.ts'
import type { Log } from '../runtime/logger.ts'

export type Metrics = ReturnType<typeof createMetrics>

interface Measured {
  readonly load: Load
  readonly times: RequestTimes
  waitingJobs(): Promise<number>
}

export function createMetrics() {
  const registry = new Registry()
  const ended = new Counter({
    name: 'kitseal_job_attempts_total',
    help: 'Job attempts by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  measureProcess(registry)
  let times: RequestTimes | undefined
  return {
    registry,
    jobEnded: (result: 'issued' | 'failed' | 'given back' | 'lost'): void => ended.inc({ result }),
    /** Adds what the HTTP server measures. */
    measure: (measured: Measured): void => {
      gauge(registry, 'kitseal_http_in_flight', 'Requests in progress whose body has arrived.', () =>
        measured.load.inFlight(),
      )
      gauge(registry, 'kitseal_http_arriving', 'Requests whose body is still arriving.', () =>
        measured.load.arriving(),
      )
      gauge(registry, 'kitseal_jobs_waiting', 'Jobs queued or in progress.', () => measured.waitingJobs())
      times = measured.times
    },
    /** In the Prometheus text format. */
    text: async (): Promise<string> => (await registry.metrics()) + (times?.text() ?? ''),
  }
}

const LAG_RESOLUTION_MS = 10

function measureProcess(registry: Registry): void {
  let counted = 0
  const processor: Counter = new Counter({
    name: 'kitseal_process_cpu_seconds_total',
    help: 'Processor time of the process.',
    registers: [registry],
    collect: () => {
      const { user, system } = process.cpuUsage()
      const seconds = (user + system) / 1e6
      processor.inc(seconds - counted)
      counted = seconds
    },
  })
  const memory = 'kitseal_process_resident_memory_bytes'
  gauge(registry, memory, 'Memory of the process.', () => process.memoryUsage.rss())
  const heap = 'kitseal_nodejs_heap_size_used_bytes'
  gauge(registry, heap, 'Memory of JavaScript objects.', () => process.memoryUsage().heapUsed)
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  const name = 'kitseal_nodejs_eventloop_lag_p99_seconds'
  gauge(registry, name, 'Delay of the event loop since the last look, 99th percentile.', () => {
    const seconds = lag.percentile(99) / 1e9
    lag.reset()
    return seconds
  })
}

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Serves `/metrics` on an address of its own, which others cannot reach by default. Several processes of one machine share the
 * default: one of them has it, and the others run without.
 */
export async function serveMetrics({ registry, text }: Metrics, listen: MetricsListen, log: Log) {
  if (listen.is === 'off') return undefined
  const server = createServer(async (request, response) => {
    const isFound = /^\/metrics(\?|$)/.test(request.url ?? '') && /^(GET|HEAD)$/.test(request.method ?? '')
    if (!isFound) return response.writeHead(404).end()
    const body = await text().catch((error: unknown) => log.error({ err: error }, 'metrics failed'))
    if (body === undefined) return response.writeHead(500).end()
    return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
  })
  try {
    server.listen(listen.port, listen.host)
    await once(server, 'listening')
  } catch (error) {
    const problem = `cannot serve metrics on ${listen.host} port ${listen.port} (${(error as Error).message})`
    if (listen.isGiven)
      throw new Error(`${problem}. Choose another address with --metrics-listen.`, { cause: error })
    log.warn({}, `${problem}: set KITSEAL_METRICS_LISTEN to another address, or to off`)
    return undefined
  }
  const { address, port, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
