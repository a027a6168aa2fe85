import { connect, type NetConnectOpts, type Socket } from 'node:net'
import pg from 'pg'

/** Fails the calls to a database that has stopped answering, so that none of them waits for its own timeout. */
export interface Circuit extends Disposable {
  /** Rejects at once while the circuit is open, and when it opens during the call. */
  guard<T>(call: () => Promise<T>): Promise<T>
}

export interface CircuitOptions {
  readonly url: string
  /** Called when the circuit opens: connections made so far are of no use. */
  readonly onOpen: () => void
}

/** `isUnavailable` knows the code, which PostgreSQL defines as connection failure. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent'
  readonly code = '08006'
  constructor() {
    super('the database has stopped answering')
  }
}

const TICK_MS = 50
/** After this long without any answer, the server is probed: a slow statement is no outage. */
const SILENT_TICKS = 4
const PROBE_TICKS = 9
const PROBE_AGAIN_MS = 250

export function databaseCircuit({ url, onOpen }: CircuitOptions): Circuit {
  const pending = new Set<(error: Error) => void>()
  const probe = serverProbe(url)
  let state: 'closed' | 'open' | 'disposed' = 'closed'
  let silentTicks = 0
  let isProbing = false
  let answered = false
  let ticker: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined

  // Ticks, not clock time: while this process is blocked or suspended, answers may wait unread.
  const tick = (): void => {
    silentTicks += 1
    if (silentTicks < SILENT_TICKS || isProbing) return
    isProbing = true
    answered = false
    void probe().then((answers) => {
      isProbing = false
      if (answers || answered) silentTicks = 0
      else if (state === 'closed' && pending.size > 0) open()
    })
  }
  const open = (): void => {
    state = 'open'
    for (const reject of pending) reject(new DatabaseSilent())
    onOpen()
    waitForServer()
  }
  const waitForServer = (): void => {
    retry = setTimeout(async () => {
      const answers = await probe()
      if (state !== 'open') return
      if (answers) state = 'closed'
      else waitForServer()
    }, PROBE_AGAIN_MS).unref()
  }
  const settled = (reject: (error: Error) => void): void => {
    pending.delete(reject)
    silentTicks = 0
    answered = true
    if (pending.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }

  return {
    guard: async (call) => {
      if (state === 'open') throw new DatabaseSilent()
      const { promise: interrupted, reject } = Promise.withResolvers<never>()
      pending.add(reject)
      ticker ??= setInterval(tick, TICK_MS).unref()
      try {
        return await Promise.race([call(), interrupted])
      } finally {
        settled(reject)
      }
    },
    [Symbol.dispose]: () => {
      state = 'disposed'
      clearInterval(ticker)
      clearTimeout(retry)
    },
  }
}

/** Asks for TLS, which every server answers with one byte, before authentication and without using up a connection. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

function serverProbe(url: string): () => Promise<boolean> {
  const { host, port } = new pg.Client({ connectionString: url })
  const place: NetConnectOpts = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  return async () => {
    const socket = connect(place)
    try {
      return await answersInTime(socket)
    } finally {
      socket.destroy()
    }
  }
}

function answersInTime(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      if (ticks >= PROBE_TICKS) end(false)
    }, TICK_MS).unref()
    const end = (answers: boolean): void => {
      clearInterval(timer)
      resolve(answers)
    }
    socket.once('data', () => end(true))
    socket.on('error', () => end(false))
    socket.once('close', () => end(false))
    socket.write(SSL_REQUEST)
  })
}
