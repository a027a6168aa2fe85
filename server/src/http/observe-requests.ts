import { type FastifyInstance, LogController } from 'fastify'
import type { Log } from '../runtime/logger.ts'
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
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return
    this.#log.error({ err: error, ...logFields(request) }, 'response stream failed')
  }
}
