import { type Clock, timestamp } from './clock.ts'
import type { LogLevel } from './config.ts'

/** Structured lines: one JSON object each. Fields hold ids and numbers, never keys, headers or bodies. */
export interface Log {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** False where lines of this level are not wanted. */
  wants(level: LogLevel): boolean
  /** Writes a line that is JSON already, for what is logged at every request. */
  line(json: string): void
}

/** A log for parts that only report events and failures. */
export type EventLog = Pick<Log, 'info' | 'error'>

export type LogFields = Readonly<Record<string, unknown>> & { readonly err?: unknown }

/** Where lines go: standard error, or a test's own ear. */
export interface LineSink {
  write(text: string): unknown
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export function jsonLog(level: LogLevel, sink: LineSink, clock: Clock): Log {
  const wants = (asked: LogLevel): boolean => LEVELS.indexOf(asked) >= LEVELS.indexOf(level)
  const at = (name: LogLevel) => {
    if (!wants(name)) return () => {}
    return ({ err, ...fields }: LogFields, message: string): void => {
      const time = timestamp(clock.now())
      const fault = err === undefined ? {} : { err: described(err) }
      sink.write(`${JSON.stringify({ level: name, time, ...fields, ...fault, msg: message })}\n`)
    }
  }
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    wants,
    line: (json) => sink.write(`${json}\n`),
  }
}

function described(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  return {
    name,
    message,
    ...code,
    stack,
    ...(cause === undefined || depth > 3 ? {} : { cause: described(cause, depth + 1) }),
  }
}

export interface LineBuffer extends LineSink {
  flush(): void
}

const FLUSH_LENGTH = 32_768
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
    write: (text) => {
      held += text
      if (held.length >= FLUSH_LENGTH) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
  }
}
