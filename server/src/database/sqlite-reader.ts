import BetterSqlite3 from 'better-sqlite3'
import type { Reader } from './prepared.ts'

export interface SqliteReader {
  readonly prepare: Reader
  close(): void
}

/**
 * Reads on a connection of their own see what is committed, and wait for no transaction. All reads of one turn of the
 * event loop share a snapshot, as taking one costs more than reading a row: requests that are handled in one turn had
 * all arrived before it was taken, so none of them can tell.
 */
export function sqliteReader(file: string, busyTimeoutMs: number): SqliteReader {
  const sqlite = new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs })
  const begin = sqlite.prepare('begin')
  const commit = sqlite.prepare('commit')
  const release = (): void => {
    if (sqlite.open && sqlite.inTransaction) commit.run()
  }
  const takeSnapshot = (): void => {
    begin.run()
    setImmediate(release)
  }
  return {
    prepare: ({ sql }) => {
      const statement = sqlite.prepare<unknown[]>(sql)
      return {
        first: (...parameters) => {
          if (!sqlite.inTransaction) takeSnapshot()
          return statement.get(...parameters)
        },
        all: (...parameters) => {
          if (!sqlite.inTransaction) takeSnapshot()
          return statement.all(...parameters)
        },
      }
    },
    close: () => sqlite.close(),
  }
}
