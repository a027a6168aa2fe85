import pg from 'pg'
import { isUnavailable } from './unavailable.ts'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** Called with every statement. */
  readonly onStatement?: ((text: string) => void) | undefined
  /** Disables statement timeouts, for the schema. */
  readonly noTimeouts?: boolean
}

export interface Pool {
  connect(): Promise<Connection>
  end(): Promise<void>
}

export interface Connection {
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  release(): void
}

const CONNECT_MS = 5000
const STATEMENT_MS = 10_000
/** Longer than the server's own timeout: only reached if the server does not respond at all. */
const RESPONSE_MS = STATEMENT_MS + 2000
/** A suspended node must not lock rows forever. */
const IDLE_IN_TRANSACTION_MS = 10_000
const TIMEOUTS = {
  statement_timeout: STATEMENT_MS,
  query_timeout: RESPONSE_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
} as const

/** Options of every connection: dead servers are detected, and counts are parsed as numbers. */
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

/** A pool that discards connections after a failure: the next query on a hanging connection would hang too. */
export function openPool({ url, connections, onStatement, noTimeouts = false }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: connections,
    idleTimeoutMillis: 60_000,
    ...(noTimeouts ? {} : TIMEOUTS),
  })
  // Idle connections that break are replaced on demand. Without a listener the error would end the process.
  pool.on('error', () => {})
  // A client has no listener between leaving the pool and wrap().
  pool.on('connect', (client) => client.on('error', () => {}))
  const name = statementNames()

  function wrap(client: pg.PoolClient): Connection {
    let failed: Error | undefined
    const fail = (error: Error): void => {
      failed = error
    }
    client.on('error', fail)
    return {
      query: async (text, values = []) => {
        // After a failure the next statement, usually a rollback, would get no response.
        if (failed !== undefined) throw failed
        onStatement?.(text)
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

  return { connect: async () => wrap(await pool.connect()), end: () => pool.end() }
}

const MAX_NAMES = 300
const TRANSACTION = /^(begin|commit|rollback)$/

/** Named statements are parsed and planned once per connection. The first ones are also the most frequent. */
function statementNames(): (text: string) => { readonly name?: string } {
  const names = new Map<string, { readonly name: string }>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= MAX_NAMES || TRANSACTION.test(text)) return {}
    const named = { name: `kitseal_${names.size}` }
    names.set(text, named)
    return named
  }
}

const INT8 = 20
const NUMERIC = 1700

/** pg returns 64-bit integers as text. Ours are all safe integers. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 || oid === NUMERIC
    ? safeInteger
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
