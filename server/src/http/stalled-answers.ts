import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node looks twice whether anything moved: a minute in all. */
const PATIENCE_MS = 30_000

/**
 * A client that takes nothing of its answer any more would hold its place among the requests in flight for ever. Whoever
 * was cut off can go on where it was, by a range. An answer that the service itself is slow with is left alone.
 */
export function cutStalledAnswers(server: Server, patienceMs = PATIENCE_MS): void {
  server.setTimeout(patienceMs)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.on('timeout', cutWhereStalled)
  })
}

function cutWhereStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
