import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { LogLevel } from '../config.ts'

/** Where lines go: standard error, or a test's own ear. */
export interface LineSink {
  write(text: string): unknown
}

export interface LineBuffer extends LineSink {
  flush(): void
}

const FLUSH_BYTES = 32_768
const FLUSH_MS = 50

/** One write per line costs more than the line: they leave together, twenty times a second. */
export function bufferLines(sink: LineSink): LineBuffer {
  let held = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = held
    held = ''
    if (text !== '') sink.write(text)
  }
  return {
    flush,
    write: (line) => {
      held += line
      if (held.length >= FLUSH_BYTES) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
  }
}

export function logOptions(level: LogLevel, lines: LineSink): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    stream: { write: (line: string) => lines.write(line) },
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  }
}

/**
 * One line for each request: what was asked by its route, not by its path, because ids are capabilities. No header and
 * no body is ever logged, so that no key is.
 */
export function logRequests(app: FastifyInstance, level: LogLevel): void {
  if (level !== 'info' && level !== 'debug') return
  app.addHook('onResponse', (request, reply, done) => {
    app.log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      'answered',
    )
    done()
  })
}

/** Fastify's own lines about requests are off; only a download that breaks off for a reason of ours is worth one. */
export class QuietLogController extends LogController {
  override streamError(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') reply.log.error({ err: error }, 'answer broken off')
  }
}
