import type { Socket } from 'node:net'

/** Connections exempt from the request timeout, because the reader of the body applies an idle timeout instead. */
const sockets = new WeakSet<Socket>()

export function exemptFromTimeout(socket: Socket): Disposable {
  sockets.add(socket)
  return { [Symbol.dispose]: () => sockets.delete(socket) }
}

export const isExemptFromTimeout = (socket: Socket): boolean => sockets.has(socket)
