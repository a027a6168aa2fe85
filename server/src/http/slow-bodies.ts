import type { Socket } from 'node:net'

/**
 * Connections whose request may take as long as it goes on arriving: its reader watches for silence. Every other
 * request has to be there in time.
 */
const sockets = new WeakSet<Socket>()

export function mayTakeLong(socket: Socket): Disposable {
  sockets.add(socket)
  return { [Symbol.dispose]: () => sockets.delete(socket) }
}

export const takesLong = (socket: Socket): boolean => sockets.has(socket)
