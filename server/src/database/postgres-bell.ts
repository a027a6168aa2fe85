import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionOptions } from './postgres-pool.ts'

/** Wakes the nodes that share a database. It may fail to at any time: who listens also looks now and then. */
export interface NodeBell {
  /** Tells the other nodes that a job waits. */
  ring(): void
  stop(): Promise<void>
}

const CHANNEL = 'kitseal_jobs'
const SILENCE_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** `LISTEN` on a connection of its own, which is made again whenever it breaks. */
export function postgresBell(url: string, heard: () => void): NodeBell {
  const self = randomUUID()
  const state = { stopping: false, pauseMs: FIRST_PAUSE_MS, rings: 0 }
  let client: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  let connecting = connect()

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connectionOptions(url), query_timeout: SILENCE_MS })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload }) => {
      if (payload !== self) heard()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      client = next
      state.pauseMs = FIRST_PAUSE_MS
      // Jobs may have come while nobody listened.
      heard()
    } catch {
      lost(next)
    }
  }

  function lost(which: pg.Client): void {
    if (client === which) client = undefined
    which.end().catch(() => {})
    if (state.stopping || again !== undefined) return
    again = setTimeout(() => {
      again = undefined
      connecting = connect()
    }, state.pauseMs)
    again.unref()
    state.pauseMs = Math.min(LONGEST_PAUSE_MS, state.pauseMs * 2)
  }

  /** One call is on its way at a time, however many jobs come meanwhile. */
  async function tell(): Promise<void> {
    const told = state.rings
    const speaker = client
    await speaker?.query('select pg_notify($1, $2)', [CHANNEL, self]).catch(() => lost(speaker))
    if (state.rings === told || client === undefined) state.rings = 0
    else await tell()
  }

  return {
    ring: () => {
      state.rings += 1
      if (state.rings === 1) void tell()
    },
    stop: async () => {
      state.stopping = true
      clearTimeout(again)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
