import type { Server, ServerResponse } from 'node:http'
import type { Socket, AddressInfo } from 'node:net'
import { AddressCounts } from './addresses.ts'
import type { FastifyInstance } from 'fastify'

/** Closes new connections of an address that has too many. Not for use behind a proxy, which is the address of all. */
export function limitConnections(server: Server, maxPerAddress: number): void {
  const open = new AddressCounts()
  server.prependListener('connection', (socket: Socket) => {
    if (open.add(socket.remoteAddress ?? '', socket) > maxPerAddress) socket.destroy()
  })
}

/**
 * Browsers open connections in advance. Node counts a connection that never sent anything as active and would delay
 * shutdown until its timeout, so such connections are closed on shutdown.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const server: Server = app.server
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}

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

/** Connections exempt from the request timeout, because the reader of the body applies an idle timeout instead. */
const sockets = new WeakSet<Socket>()

export function exemptFromTimeout(socket: Socket): Disposable {
  sockets.add(socket)
  return { [Symbol.dispose]: () => sockets.delete(socket) }
}

export const isExemptFromTimeout = (socket: Socket): boolean => sockets.has(socket)

/** If a server listens on every interface: its loopback address, which works on the same machine, also if that is a container. */
export function reachableUrl(bound: AddressInfo | string | null): string {
  const { address, port } = bound as AddressInfo
  const host = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[address] ?? address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
