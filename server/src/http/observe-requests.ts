import { type FastifyInstance, LogController } from 'fastify'
import { type Clock, timestamp } from '../clock.ts'
import type { Log } from '../log.ts'
import type { RequestTimes } from './request-times.ts'

/**
 * Logs and measures every response. The route is logged instead of the path, because IDs are capabilities. Headers and
 * bodies are never logged, because they hold keys.
 */
export function observeRequests(app: FastifyInstance, log: Log, clock: Clock, times: RequestTimes): void {
  const logged = log.isEnabled('info')
  const time = cachedTimestamps()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const status = reply.statusCode
    const ms = reply.elapsedTime
    times.observe(method, route, status, ms / 1000)
    // Built by hand for speed. None of the values needs escaping.
    if (logged) {
      log.line(
        `{"level":"info","time":"${time(clock.now())}","request_id":"${request.id}","method":"${method}","route":"${route}","status":${status},"ms":${ms.toFixed(2)},"msg":"answered"}`,
      )
    }
    done()
  })
}

/** Formats the part up to the second once per second. */
function cachedTimestamps(): (milliseconds: number) => string {
  let second = Number.NaN
  let prefix = ''
  return (milliseconds) => {
    const current = Math.floor(milliseconds / 1000)
    if (current !== second) {
      second = current
      prefix = timestamp(current * 1000).slice(0, -4)
    }
    return `${prefix}${String(milliseconds - current * 1000).padStart(3, '0')}Z`
  }
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
