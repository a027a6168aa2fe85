import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionOptions } from './postgres-pool.ts'

const CHANNEL = 'kitseal_jobs'
const QUERY_TIMEOUT_MS = 10_000
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 10_000

/** Notifies the nodes that share a database. Best effort: nodes also poll. */
export type JobNotifications = ReturnType<typeof listenForJobs>

/** `LISTEN` on a dedicated connection, which reconnects whenever it breaks. */
export function listenForJobs(url: string, onJob: () => void) {
  const self = randomUUID()
  const state = { stopping: false, retryMs: MIN_RETRY_MS, pending: 0 }
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let connecting = connect()

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connectionOptions(url), query_timeout: QUERY_TIMEOUT_MS })
    next.on('error', () => reconnect(next))
    next.on('end', () => reconnect(next))
    next.on('notification', ({ payload }) => {
      if (payload !== self) onJob()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      client = next
      state.retryMs = MIN_RETRY_MS
      // Jobs may have been created while the connection was down.
      onJob()
    } catch {
      reconnect(next)
    }
  }

  function reconnect(broken: pg.Client): void {
    if (client === broken) client = undefined
    broken.end().catch(() => {})
    if (state.stopping || retry !== undefined) return
    retry = setTimeout(() => {
      retry = undefined
      connecting = connect()
    }, state.retryMs)
    retry.unref()
    state.retryMs = Math.min(MAX_RETRY_MS, state.retryMs * 2)
  }

  /** Sends one notification at a time, however many jobs are created meanwhile. */
  async function send(): Promise<void> {
    const sent = state.pending
    const sender = client
    await sender?.query('select pg_notify($1, $2)', [CHANNEL, self]).catch(() => reconnect(sender))
    if (state.pending === sent || client === undefined) state.pending = 0
    else await send()
  }

  return {
    /** Tells the other nodes that a job is ready. */
    notify: (): void => {
      state.pending += 1
      if (state.pending === 1) void send()
    },
    stop: async (): Promise<void> => {
      state.stopping = true
      clearTimeout(retry)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
