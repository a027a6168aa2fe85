import { type FastifyInstance, LogController, type FastifyRequest } from 'fastify'
import type { Log } from '../runtime/logger.ts'
import { LOST_OBJECT, ObjectUnreadable } from '../objects/object-store.ts'

/**
 * Logs and measures every response. The route is logged instead of the path, because IDs are capabilities. Headers and
 * bodies are never logged, because they hold keys.
 */
export function observeRequests(app: FastifyInstance, log: Log, times: RequestTimes): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const { statusCode: status, elapsedTime } = reply
    times.observe(method, route, status, elapsedTime / 1000)
    const ms = Math.round(elapsedTime * 100) / 100
    log.info({ ...logFields(request), method, route, status, ms }, 'answered')
    done()
  })
}

/** Logs responses that fail while they are streamed, and nothing else. */
export class StreamErrorLog extends LogController {
  readonly #log: Log

  constructor(log: Log) {
    super({ disableRequestLogging: true })
    this.#log = log
  }

  override streamError(error: Error, request: LoggedRequest): void {
    if (CLIENT_GONE.has((error as NodeJS.ErrnoException).code)) return
    const what = error instanceof ObjectUnreadable ? LOST_OBJECT : 'response stream failed'
    this.#log.error({ err: error, ...logFields(request) }, what)
  }
}

/** How writing to a closed connection fails. Errors of the object store have no code. */
const CLIENT_GONE: ReadonlySet<string | undefined> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
])

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request was rejected before it was admitted. */
    traceId: string | undefined
  }
}

type LoggedRequest = Pick<FastifyRequest, 'id' | 'traceId'>

/** What log lines of a request have in common. */
export const logFields = ({ id, traceId }: LoggedRequest) => ({ request_id: id, trace_id: traceId })

const NAME = 'kitseal_http_request_duration_seconds'
const ERRORS = 'kitseal_http_errors_total'
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10] as const

interface Series {
  readonly method: string
  readonly status: number
  readonly labels: string
  /** One count per bound, and one for longer requests. */
  readonly counts: number[]
  sum: number
}

/** Request durations by method, route and status, as a Prometheus histogram. */
export type RequestTimes = ReturnType<typeof requestTimes>

/** Hand-written because prom-client hashes the labels at each observation, which costs as much as routing a request. */
export function requestTimes() {
  // By route alone: its text is never made again, so that its hash is known.
  const routes = new Map<string, Series[]>()
  const all: Series[] = []
  let errors = 0
  const add = (method: string, route: string, status: number): Series => {
    const labels = `method="${method}",route="${route}",status="${status}"`
    const added = { method, status, labels, counts: Array<number>(BOUNDS.length + 1).fill(0), sum: 0 }
    const known = routes.get(route)
    if (known === undefined) routes.set(route, [added])
    else known.push(added)
    all.push(added)
    return added
  }
  return {
    observe: (method: string, route: string, status: number, seconds: number): void => {
      const known = routes.get(route)
      const found =
        known?.find((one) => one.status === status && one.method === method) ?? add(method, route, status)
      if (status === 500) errors += 1
      let bucket = 0
      while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1
      found.sum += seconds
    },
    /** In the Prometheus text format. */
    text: (): string =>
      [
        `# HELP ${NAME} Request duration by method, route and status.`,
        `# TYPE ${NAME} histogram`,
        ...all.flatMap(seriesLines),
        // From the start, because Prometheus sees no increase in a series that begins with 1.
        `# HELP ${ERRORS} Requests that got 500.`,
        `# TYPE ${ERRORS} counter`,
        `${ERRORS} ${errors}`,
        '',
      ].join('\n'),
  }
}

function seriesLines({ labels, counts, sum }: Series): readonly string[] {
  let total = 0
  const buckets = [...BOUNDS, '+Inf'].map((bound, index) => {
    total += counts[index] ?? 0
    return `${NAME}_bucket{le="${bound}",${labels}} ${total}`
  })
  return buckets.concat(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`)
}
