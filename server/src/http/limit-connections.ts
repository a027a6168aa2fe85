import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { AddressCounts } from './address-counts.ts'

/** Closes new connections of an address that has too many. Not for use behind a proxy, which is the address of all. */
export function limitConnections(server: Server, maxPerAddress: number): void {
  const open = new AddressCounts()
  server.prependListener('connection', (socket: Socket) => {
    if (open.add(socket.remoteAddress ?? '', socket) > maxPerAddress) socket.destroy()
  })
}
