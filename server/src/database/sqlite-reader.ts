import BetterSqlite3 from 'better-sqlite3'
import type { Reader } from './prepared.ts'

export interface SqliteReader {
  readonly prepare: Reader
  close(): void
}

/**
 * Reads on a connection of their own see what is committed, and wait for no transaction. From the second on, the reads
 * of one turn of the event loop share a snapshot, as taking one costs more than reading a row: requests that are handled
 * in one turn had all arrived before it was taken, so none of them can tell.
 */
export function sqliteReader(
  file: string,
  busyTimeoutMs: number,
  watch?: (text: string) => void,
): SqliteReader {
  const sqlite = new BetterSqlite3(file, {
    readonly: true,
    timeout: busyTimeoutMs,
    ...(watch === undefined ? {} : { verbose: (text) => isRead(String(text)) && watch(String(text)) }),
  })
  const begin = sqlite.prepare('begin')
  const commit = sqlite.prepare('commit')
  let readsOfTurn = 0
  let closed = false
  const endTurn = (): void => {
    if (readsOfTurn > 1 && !closed) commit.run()
    readsOfTurn = 0
  }
  const countRead = (): void => {
    readsOfTurn += 1
    if (readsOfTurn === 1) setImmediate(endTurn)
    else if (readsOfTurn === 2) begin.run()
  }
  return {
    prepare: ({ sql }) => {
      const statement = sqlite.prepare<unknown[]>(sql)
      return {
        first: (...parameters) => {
          countRead()
          return statement.get(...parameters)
        },
        all: (...parameters) => {
          countRead()
          return statement.all(...parameters)
        },
      }
    },
    close: () => {
      closed = true
      sqlite.close()
    },
  }
}

/** Taking a snapshot is no way to a database: it is in this process. */
const isRead = (text: string): boolean => text !== 'begin' && text !== 'commit'
