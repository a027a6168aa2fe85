import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export interface CuttingProxy extends AsyncDisposable {
  readonly base: string
  cuts(): number
  /** Bytes from clients to the service, headers included. */
  sentBytes(): number
  /** Every request, as `METHOD PATH OFFSET`. */
  readonly requests: readonly string[]
}

/**
 * A TCP proxy that closes a connection from both sides after the next of `afterBytes`, counted over all connections since
 * the last cut. After the last of them, it passes everything on. `onCut` may return false to end the connection in
 * another way.
 */
export async function cuttingProxy(
  target: string,
  afterBytes: readonly number[],
  onCut: (index: number) => boolean = () => true,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const state = { cuts: 0, sent: 0, lastCutAt: 0 }
  const requests: string[] = []
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
      const request = requestIn(bytes)
      if (request !== undefined) requests.push(request)
      if (state.sent - state.lastCutAt > (afterBytes[state.cuts] ?? Infinity)) {
        state.cuts += 1
        state.lastCutAt = state.sent
        if (onCut(state.cuts - 1)) return end()
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
    requests,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

/** Clients send the head of a request in a packet of its own. */
function requestIn(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 4096)
  const line = /^(GET|HEAD|POST|PATCH|DELETE) (\S+) HTTP\/1\.1\r\n/.exec(head)
  const offset = /\r\nupload-offset: (\d+)\r\n/i.exec(head)?.[1]
  return line === null ? undefined : [line[1], line[2], offset].filter((part) => part !== undefined).join(' ')
}
