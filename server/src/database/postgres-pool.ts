import type { Socket } from 'node:net'
import pg from 'pg'
import { databaseCircuit } from './postgres-circuit.ts'
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

/**
 * A pool that discards connections after a failure: the next query on a hanging connection would hang too. Once the server
 * has stopped answering, calls fail at once.
 */
export function openPool(options: PoolOptions): Pool {
  const { url, onStatement, noTimeouts = false } = options
  let pool = newPool(options)
  const circuit = noTimeouts
    ? undefined
    : databaseCircuit({
        url,
        onOpen: () => {
          pool.discard()
          pool = newPool(options)
        },
      })
  const guard = circuit?.guard ?? (async (call) => call())
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
          return await guard(() => client.query({ ...name(text), text, values: values as unknown[] }))
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

  const connect = async (): Promise<Connection> => {
    let connecting: Promise<pg.PoolClient> | undefined
    const client = await guard(() => (connecting = pool.connect())).catch((error: unknown) => {
      // Nobody waits for this connection any more.
      connecting?.then(
        (late) => late.release(true),
        () => {},
      )
      throw error
    })
    return wrap(client)
  }
  return {
    connect,
    end: async () => {
      circuit?.[Symbol.dispose]()
      await pool.end()
    },
  }
}

interface ClientPool {
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
  /** Ends it without a word to the server, which does not answer. */
  discard(): void
}

function newPool({ url, connections, noTimeouts = false }: PoolOptions): ClientPool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: connections,
    idleTimeoutMillis: 60_000,
    ...(noTimeouts ? {} : TIMEOUTS),
  })
  const clients = new Set<pg.PoolClient>()
  // Idle connections that break are replaced on demand. Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    clients.add(client)
    // A client has no listener between leaving the pool and wrap().
    client.on('error', () => {})
  })
  pool.on('remove', (client) => clients.delete(client))
  return {
    connect: () => pool.connect(),
    end: () => pool.end(),
    discard: () => {
      for (const client of clients) socketOf(client).destroy()
      pool.end().catch(() => {})
    },
  }
}

const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream

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
