import BetterSqlite3 from 'better-sqlite3'
import type { Reader } from './prepared.ts'

export interface SqliteReader {
  readonly prepare: Reader
  close(): void
}

/**
 * Reads on a separate connection: sees committed data and never waits for a transaction. Rows of cached queries are kept
 * until the next commit of any process, which is checked once per event loop iteration for half the cost of a read.
 * Requests handled in one iteration had all arrived before it, so none can observe stale data.
 */
export function sqliteReader(
  file: string,
  busyTimeoutMs: number,
  onStatement?: (text: string) => void,
): SqliteReader {
  const sqlite = new BetterSqlite3(file, {
    readonly: true,
    timeout: busyTimeoutMs,
    ...(onStatement === undefined
      ? {}
      : { verbose: (text) => void (text !== DATA_VERSION && onStatement(String(text))) }),
  })
  const dataVersion = sqlite.prepare<[], number>(DATA_VERSION).pluck()
  const caches: Map<unknown, unknown>[] = []
  let knownVersion: number | undefined
  let isChecked = false
  let iteration = 0
  const endIteration = (): void => {
    isChecked = false
    iteration += 1
  }
  const invalidateCaches = (): void => {
    if (isChecked) return
    isChecked = true
    setImmediate(endIteration)
    const version = dataVersion.get()
    if (version !== knownVersion) for (const cache of caches) cache.clear()
    knownVersion = version
  }
  return {
    prepare: ({ sql }, cacheSize = 0) => {
      const statement = sqlite.prepare<unknown[]>(sql)
      const all = (...parameters: readonly unknown[]) => statement.all(...parameters)
      if (cacheSize === 0) return { first: (...parameters) => statement.get(...parameters), all }
      const cache = new Map<unknown, unknown>()
      caches.push(cache)
      return {
        first: (parameter, ...rest) => {
          if (rest.length > 0) throw new Error('cached queries take one parameter')
          invalidateCaches()
          const found = cache.get(parameter)
          if (!(found instanceof Missing)) {
            if (found !== undefined) return found
          } else if (found.iteration !== iteration) return undefined
          const row = statement.get(parameter)
          if (cache.size >= cacheSize) cache.clear()
          cache.set(parameter, row ?? new Missing(iteration))
          return row
        },
        all,
      }
    },
    close: () => void sqlite.close(),
  }
}

/**
 * Misses are cached too, so that a missing row and a forbidden one take the same time. Within the same iteration a miss is
 * looked up again: the row may just have been created.
 */
class Missing {
  readonly iteration: number

  constructor(iteration: number) {
    this.iteration = iteration
  }
}

/** Changes with every commit of another connection, in any process. Not reported as a statement. */
const DATA_VERSION = 'pragma data_version'
