import { type FastifyInstance, LogController } from 'fastify'
import { type Clock, timestamp } from '../clock.ts'
import type { Log } from '../log.ts'
import type { RequestTimes } from './request-times.ts'

/**
 * One line in the log and one count in the metrics for each answer: what was asked by its route, not by its path,
 * because ids are capabilities. No header and no body is ever logged, so that no key is.
 */
export function watchRequests(app: FastifyInstance, log: Log, clock: Clock, times: RequestTimes): void {
  const logged = log.isEnabled('info')
  const time = quickTimestamps()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const status = reply.statusCode
    const ms = reply.elapsedTime
    times.observe(method, route, status, ms / 1000)
    // Written by hand, as it is written for every request: nothing in it needs escaping.
    if (logged) {
      log.line(
        `{"level":"info","time":"${time(clock.now())}","request_id":"${request.id}","method":"${method}","route":"${route}","status":${status},"ms":${ms.toFixed(2)},"msg":"answered"}`,
      )
    }
    done()
  })
}

/** All but the last digits of a time are those of the time before. */
function quickTimestamps(): (milliseconds: number) => string {
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

/** Of what the framework would log, only this is worth a line: an answer that breaks off for a reason of ours. */
export class BrokenAnswers extends LogController {
  readonly #log: Log

  constructor(log: Log) {
    super({ disableRequestLogging: true })
    this.#log = log
  }

  override streamError(error: Error, request: { readonly id: string }): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return
    this.#log.error({ err: error, request_id: request.id }, 'answer broken off')
  }
}
