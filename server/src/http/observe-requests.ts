import { type FastifyInstance, LogController } from 'fastify'
import type { Log } from '../logger.ts'
import type { RequestTimes } from './request-times.ts'

/**
 * Logs and measures every response. The route is logged instead of the path, because IDs are capabilities. Headers and
 * bodies are never logged, because they hold keys.
 */
export function observeRequests(app: FastifyInstance, log: Log, times: RequestTimes): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id: request_id, method } = request
    const route = request.routeOptions.url ?? 'none'
    const status = reply.statusCode
    times.observe(method, route, status, reply.elapsedTime / 1000)
    log.info({ request_id, method, route, status, ms: Math.round(reply.elapsedTime * 100) / 100 }, 'answered')
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

  override streamError(error: Error, request: { readonly id: string }): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return
    this.#log.error({ err: error, request_id: request.id }, 'response stream failed')
  }
}
