import BetterSqlite3 from 'better-sqlite3'
import type { Reader } from './prepared.ts'

export interface SqliteReader {
  readonly prepare: Reader
  close(): void
}

/**
 * Reads on a connection of their own see what is committed, and wait for no transaction. A query that allows it has its
 * rows kept until something is committed, by whomever: the database says so for half the price of a read, and is asked
 * once in each turn of the event loop. Requests that are handled in one turn had all arrived before, so none of them can
 * tell.
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
  const changes = sqlite.prepare<[], number>(CHANGES).pluck()
  const kept: Map<unknown, unknown>[] = []
  let known: number | undefined
  let askedThisTurn = false
  let turn = 0
  const endTurn = (): void => {
    askedThisTurn = false
    turn += 1
  }
  const forgetWhatChanged = (): void => {
    if (askedThisTurn) return
    askedThisTurn = true
    setImmediate(endTurn)
    const now = changes.get()
    if (now !== known) for (const rows of kept) rows.clear()
    known = now
  }
  return {
    prepare: ({ sql }, rowsKept = 0) => {
      const statement = sqlite.prepare<unknown[]>(sql)
      const all = (...parameters: readonly unknown[]) => statement.all(...parameters)
      if (rowsKept === 0) return { first: (...parameters) => statement.get(...parameters), all }
      const rows = new Map<unknown, unknown>()
      kept.push(rows)
      return {
        first: (parameter, ...rest) => {
          if (rest.length > 0) throw new Error('rows are kept by one parameter')
          forgetWhatChanged()
          const found = rows.get(parameter)
          if (!(found instanceof Missing)) {
            if (found !== undefined) return found
          } else if (found.turn !== turn) return undefined
          const row = statement.get(parameter)
          if (rows.size >= rowsKept) rows.clear()
          rows.set(parameter, row ?? new Missing(turn))
          return row
        },
        all,
      }
    },
    close: () => void sqlite.close(),
  }
}

/**
 * What is not there is kept too, so that it takes as long to say so as to find what is there and may not be shown. In the
 * turn in which it was missed it is looked for again: it may be made in that very turn.
 */
class Missing {
  readonly turn: number

  constructor(turn: number) {
    this.turn = turn
  }
}

/** Grows with every commit of another connection, in this process or in any other. */
const CHANGES = 'pragma data_version'

/** Asking whether anything changed is no way to a database: it is in this process. */
const isRead = (text: string): boolean => text !== CHANGES
