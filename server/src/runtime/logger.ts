import { type DestinationStream, type LevelWithSilent, pino } from 'pino'
import { type Clock, timestamp } from './clock.ts'

/** A structured log: one JSON object per line. Fields hold IDs and numbers, never keys, headers or bodies. */
export interface Log {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}

/** A log for parts that only report events and failures. */
export type EventLog = Pick<Log, 'info' | 'error'>

export type LogFields = Readonly<Record<string, unknown>> & { readonly err?: unknown }

/** Where lines are written, usually standard error. */
export interface LineSink {
  write(text: string): unknown
}

export function jsonLog(level: LevelWithSilent, sink: LineSink, clock: Clock): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${timestamp(clock.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields },
  }
  return pino(options, sink as DestinationStream)
}

/** Only these members: others of an error may hold secrets, such as the parameters of a query. */
function errorFields(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  return {
    name,
    message,
    ...code,
    stack,
    ...(cause === undefined || depth > 3 ? {} : { cause: errorFields(cause, depth + 1) }),
  }
}

export interface LineBuffer extends LineSink {
  flush(): void
}

const FLUSH_LENGTH = 32_768
const FLUSH_MS = 50

/** Collects lines and writes them together, because one write per line is slow. */
export function bufferLines(sink: LineSink): LineBuffer {
  let buffered = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = buffered
    buffered = ''
    if (text !== '') sink.write(text)
  }
  return {
    flush,
    write: (text) => {
      buffered += text
      if (buffered.length >= FLUSH_LENGTH) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
  }
}
