import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that can be cut, which also breaks open connections, and restored. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string
  cut(): void
  mend(): void
}

export async function cutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cut: () => {
      isCut = true
      end()
    },
    mend: () => void (isCut = false),
    [Symbol.asyncDispose]: async () => {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
