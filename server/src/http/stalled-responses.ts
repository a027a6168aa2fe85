import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node checks twice for progress, so a stalled response is closed after a minute. */
const STALL_TIMEOUT_MS = 30_000

/**
 * Closes the connection of a client that stopped reading, which would count as a request in flight forever. The client can resume
 * with a range request. A response that the service itself is slow to produce is not closed.
 */
export function closeStalledResponses(server: Server, timeoutMs = STALL_TIMEOUT_MS): void {
  server.setTimeout(timeoutMs)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.on('timeout', closeIfStalled)
  })
}

function closeIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
