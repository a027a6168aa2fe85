import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** How busy the process is. */
export type Load = ReturnType<typeof measureLoad>

const MEASURE_EVERY_MS = 250

export function measureLoad(server: Server) {
  let inFlight = 0
  let arriving = 0
  let lagMs = 0
  const closed = (): void => {
    inFlight -= 1
  }
  // Fastify has no hook for aborted requests.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const count = (): void => {
      if (response.closed) return
      inFlight += 1
      response.on('close', closed)
    }
    if (!hasBody(request)) return count()
    arriving += 1
    request.once('end', count)
    request.once('close', () => {
      arriving -= 1
    })
  })
  let expected = performance.now() + MEASURE_EVERY_MS
  const timer = setInterval(() => {
    lagMs = Math.max(0, performance.now() - expected)
    expected = performance.now() + MEASURE_EVERY_MS
  }, MEASURE_EVERY_MS).unref()
  return {
    /** Requests in progress whose body has arrived, so that clients who send slowly do not crowd out the others. */
    inFlight: (): number => inFlight,
    /** Requests whose body is still arriving. */
    arriving: (): number => arriving,
    /** Event loop delay, as last measured. */
    lagMs: (): number => lagMs,
    [Symbol.dispose]: (): void => clearInterval(timer),
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** In each iteration, one of this many waiting requests starts. */
const PART = 32

/**
 * Serializes request starts per workspace, one per event loop iteration, so that a workspace with many connections
 * delays itself and not the others. A part of a long queue starts in each: otherwise it
 * grows while requests arrive faster than iterations pass.
 */
export class StartQueue {
  readonly #queues = new Map<string, (() => void)[]>()

  start(workspaceId: string, work: () => void): void {
    const queue = this.#queues.get(workspaceId)
    if (queue !== undefined) {
      queue.push(work)
      return
    }
    this.#queues.set(workspaceId, [])
    setImmediate(() => this.#next(workspaceId))
    work()
  }

  #next(workspaceId: string): void {
    const queue = this.#queues.get(workspaceId) ?? []
    if (queue.length === 0) {
      this.#queues.delete(workspaceId)
      return
    }
    setImmediate(() => this.#next(workspaceId))
    // Taken one by one: if one throws, the others start in the next iteration.
    for (let left = Math.ceil(queue.length / PART); left > 0; left--) queue.shift()?.()
  }
}
