import pg from 'pg'
import { isUnavailable } from './unavailable.ts'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** Told of every statement that is sent. */
  readonly watch?: ((text: string) => void) | undefined
  /** For what takes as long as it takes: a change of the schema. */
  readonly patient?: boolean
}

/** What the query builder and the prepared reads ask of a pool. */
export interface Pool {
  connect(): Promise<Connection>
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>
  end(): Promise<void>
}

export interface Connection {
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  release(): void
}

const CONNECT_MS = 5000
const STATEMENT_MS = 10_000
/** A little later than the server gives up: only a server that is silent, or cut off, is given up on. */
const SILENCE_MS = STATEMENT_MS + 2000
/** A node that was stopped in the middle of a transaction must not hold its rows for ever. */
const IDLE_IN_TRANSACTION_MS = 10_000
const LIMITS = {
  statement_timeout: STATEMENT_MS,
  query_timeout: SILENCE_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
} as const

/** How a connection is made, wherever one is: a failed or silent server is noticed, and numbers are numbers. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'kitseal',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  }
}

/** Connections that are thrown away once they failed: what is asked on one that hangs would hang too. */
export function openPool({ url, connections, watch, patient = false }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: connections,
    idleTimeoutMillis: 60_000,
    ...(patient ? {} : LIMITS),
  })
  // A connection that breaks while nobody uses it is replaced when one is needed; unheard, it would end the process.
  pool.on('error', () => {})
  // The same for one that is handed over: between the pool's ear and ours there is a moment in which nobody listens.
  pool.on('connect', (client) => client.on('error', () => {}))
  const name = statementNames()

  function wrap(client: pg.PoolClient): Connection {
    let failed: Error | undefined
    const fail = (error: Error): void => {
      failed = error
    }
    // The same for one that is in use.
    client.on('error', fail)
    return {
      query: async (text, values = []) => {
        // What comes after a failure, a rollback most of all, would wait for an answer that does not come.
        if (failed !== undefined) throw failed
        watch?.(text)
        try {
          return await client.query({ ...name(text), text, values: values as unknown[] })
        } catch (error) {
          if (isUnavailable(error)) fail(error as Error)
          throw error
        }
      },
      release: () => {
        client.removeListener('error', fail)
        client.release(failed)
      },
    }
  }

  return {
    connect: async () => wrap(await pool.connect()),
    query: async (text, values) => {
      const connection = wrap(await pool.connect())
      try {
        return await connection.query(text, values)
      } finally {
        connection.release()
      }
    },
    end: () => pool.end(),
  }
}

const NAMES_KEPT = 300
const TRANSACTION = /^(begin|commit|rollback)$/

/** A text that has a name is parsed and planned once on each connection. The first ones are those that are asked often. */
function statementNames(): (text: string) => { readonly name?: string } {
  const names = new Map<string, { readonly name: string }>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= NAMES_KEPT || TRANSACTION.test(text)) return {}
    const named = { name: `kitseal_${names.size}` }
    names.set(text, named)
    return named
  }
}

const INT8 = 20
const NUMERIC = 1700

/** Counts and sums come as text where they could be larger than a number: here none is, and one that were is refused. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 || oid === NUMERIC
    ? safeInteger
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
