// docs/decisions/0107
import { type Clock, timestamp } from './clock.ts'
import type { LogLevel } from './config.ts'

/** A structured log: one JSON object per line. Fields hold IDs and numbers, never keys, headers or bodies. */
export interface Log {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** Whether lines of this level are written. */
  isEnabled(level: LogLevel): boolean
  /** Writes a line that is JSON already, for the log of every request. */
  line(json: string): void
}

/** A log for parts that only report events and failures. */
export type EventLog = Pick<Log, 'info' | 'error'>

export type LogFields = Readonly<Record<string, unknown>> & { readonly err?: unknown }

/** Where lines are written, usually standard error. */
export interface LineSink {
  write(text: string): unknown
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export function jsonLog(level: LogLevel, sink: LineSink, clock: Clock): Log {
  const isEnabled = (other: LogLevel): boolean => LEVELS.indexOf(other) >= LEVELS.indexOf(level)
  const writer = (name: LogLevel) => {
    if (!isEnabled(name)) return () => {}
    return ({ err, ...fields }: LogFields, message: string): void => {
      const time = timestamp(clock.now())
      const error = err === undefined ? {} : { err: errorFields(err) }
      sink.write(`${JSON.stringify({ level: name, time, ...fields, ...error, msg: message })}\n`)
    }
  }
  return {
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    isEnabled,
    line: (json) => sink.write(`${json}\n`),
  }
}

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
