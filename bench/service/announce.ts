import type { Server } from 'node:http'

/** Listens on a free port and prints the address, which `startServer` waits for. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object')
      console.log(`address http://127.0.0.1:${address.port}`)
  })
}
