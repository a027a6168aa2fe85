import { type FastifyInstance, LogController } from 'fastify'
import type { Log } from '../runtime/logger.ts'
import { LOST_OBJECT, ObjectUnreadable } from '../objects/object-store.ts'
import { type LoggedRequest, logFields } from './log-fields.ts'
import type { RequestTimes } from './request-times.ts'

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
