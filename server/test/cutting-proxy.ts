import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export interface CuttingProxy extends AsyncDisposable {
  readonly base: string
  cuts(): number
  /** Bytes from clients to the service, headers included. */
  sentBytes(): number
}

/**
 * A TCP proxy that closes a connection from both sides after the next of `afterBytes`, counted over all connections since
 * the last cut. After the last of them, it passes everything on.
 */
export async function cuttingProxy(target: string, afterBytes: readonly number[]): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const state = { cuts: 0, sent: 0, lastCutAt: 0 }
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    const end = (): void => {
      socket.destroy()
      upstream.destroy()
    }
    for (const one of [socket, upstream]) one.on('error', () => {}).on('close', end)
    upstream.pipe(socket)
    socket.on('data', (bytes) => {
      state.sent += bytes.length
      if (state.sent - state.lastCutAt > (afterBytes[state.cuts] ?? Infinity)) {
        state.cuts += 1
        state.lastCutAt = state.sent
        return end()
      }
      if (upstream.write(bytes)) return undefined
      socket.pause()
      upstream.once('drain', () => socket.resume())
      return undefined
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    base: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cuts: () => state.cuts,
    sentBytes: () => state.sent,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}
