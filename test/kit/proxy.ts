import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that can be cut, which also breaks open connections, or become a black hole, and restored. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string
  cut(): void
  /** Accepts connections and forwards nothing, on open ones neither, until it is restored: then on new ones only. */
  swallow(): void
  mend(): void
}

export async function cutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let is: 'open' | 'cut' | 'black hole' = 'open'
  const server = createServer((client) => {
    if (is === 'cut') return void client.destroy()
    if (is === 'black hole') return keepSilent(client)
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const keepSilent = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.unpipe()
    socket.removeAllListeners('close')
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cut: () => {
      is = 'cut'
      end()
    },
    swallow: () => {
      is = 'black hole'
      for (const socket of sockets) keepSilent(socket)
    },
    mend: () => void (is = 'open'),
    [Symbol.asyncDispose]: async () => {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
