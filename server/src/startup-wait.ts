import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { isUnavailable } from './database/unavailable.ts'
import { ObjectsUnavailable } from './objects/object-store.ts'
import type { Log } from './runtime/logger.ts'
import type { Config } from './settings/config.ts'

/** Waits for a database or an object store that does not answer while the service starts. */
export type StartupWait = ReturnType<typeof startupWait>

/** The service was asked to stop while it waited. */
export class StoppedWaiting extends Error {
  override readonly name = 'StoppedWaiting'
}

const RETRY_MS = 500
const REPEAT_MS = 30_000
/** Wrong settings look like an outage at first, but waiting does not mend them. */
const SETTINGS_TIMEOUT_MS = 30_000
const WRONG_SETTINGS = /^(?:28|3D000|SQLITE_)/

/**
 * Until the service listens, its port answers as one that is alive and not ready, with the reason. Dispose this before it
 * listens; waiting goes on after that without the port.
 */
export function startupWait(
  { host, port }: Pick<Config, 'host' | 'port'>,
  log: Pick<Log, 'warn' | 'info'>,
  isStopping: () => boolean,
) {
  let reason: string | undefined
  let server: Server | undefined
  let isListening = port === 0

  async function answer(): Promise<void> {
    if (isListening || server !== undefined) return
    server = createServer((request, response) => {
      const isAlive = request.url === '/healthz'
      const body = isAlive
        ? { status: 'ok' }
        : { code: 'store_unavailable', message: `Not ready: ${reason}.` }
      response
        .writeHead(isAlive ? 200 : 503, {
          'content-type': 'application/json',
          'retry-after': '2',
          connection: 'close',
        })
        .end(JSON.stringify(body))
    }).listen(port, (await lookup(host)).address)
    await once(server, 'listening')
  }

  return {
    /** What it waits for. */
    get reason(): string | undefined {
      return reason
    },
    /** Retries an operation as long as its store is not available. */
    async until<T>(operation: () => Promise<T>): Promise<T> {
      const began = performance.now()
      let saidAt = -Infinity
      for (;;) {
        try {
          const result = await operation()
          if (reason !== undefined) log.info({}, 'the store is available again: starting')
          reason = undefined
          return result
        } catch (error) {
          const waitedMs = performance.now() - began
          if (!isOutage(error) || (isWrongSetting(error) && waitedMs >= SETTINGS_TIMEOUT_MS)) throw error
          reason = `waiting for ${whatFails(error)}`
          if (performance.now() - saidAt >= REPEAT_MS) {
            log.warn({ waited_seconds: Math.round(waitedMs / 1000) }, `not ready: ${reason}`)
            saidAt = performance.now()
          }
          await answer()
          await pause(RETRY_MS)
          if (isStopping()) throw new StoppedWaiting(reason)
        }
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      isListening = true
      if (server === undefined) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      server = undefined
    },
  }
}

const isOutage = (error: unknown): boolean => isUnavailable(error) || error instanceof ObjectsUnavailable

function isWrongSetting(error: unknown): boolean {
  if (error instanceof ObjectsUnavailable) return / returned 4(?!08|29)/.test(error.message)
  return WRONG_SETTINGS.test(String((error as NodeJS.ErrnoException).code))
}

/** Without addresses: anyone may read it. */
function whatFails(error: unknown): string {
  if (error instanceof ObjectsUnavailable) return error.message
  const { code = '' } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException
  return `the database (${code === '' ? 'it does not answer' : code})`
}
