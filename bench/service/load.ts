import { connect, type Socket } from 'node:net'

/** Options of the load generator: it repeats a few requests on many connections. */
export interface LoadOrder {
  readonly port: number
  /** Complete HTTP/1.1 requests. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly milliseconds: number
}

export interface LoadResult {
  readonly answered: number
  readonly refused: number
  readonly seconds: number
}

// Runs in its own process, so that sending requests does not slow down the server.
process.on('message', (order: LoadOrder) => {
  load(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

/** Raw sockets and prepared bytes: a client library would be slower than the server. */
async function load(order: LoadOrder): Promise<LoadResult> {
  const requests = order.requests.map((text) => Buffer.from(text))
  const count = { answered: 0, refused: 0 }
  const started = performance.now()
  const stopAt = started + order.milliseconds
  const clients = Array.from({ length: order.connections }, (_, index) =>
    client(order.port, requests, index, stopAt, count),
  )
  await Promise.all(clients)
  return { ...count, seconds: (performance.now() - started) / 1000 }
}

function client(
  port: number,
  requests: readonly Buffer[],
  first: number,
  stopAt: number,
  count: { answered: number; refused: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let turn = first
    const ask = (): void => void socket.write(requests[turn++ % requests.length] ?? '')
    const finish = (): void => {
      socket.destroy()
      resolve()
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    onAnswers(socket, (status) => {
      if (status === 200) count.answered += 1
      else count.refused += 1
      if (performance.now() < stopAt) ask()
      else finish()
    })
  })
}

function onAnswers(socket: Socket, answered: (status: number) => void): void {
  let pending = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    pending += chunk
    const head = pending.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending)?.[1] ?? Number.NaN)
    if (Number.isNaN(length)) throw new Error(`response without Content-Length: ${pending.slice(0, 200)}`)
    if (pending.length < head + 4 + length) return
    const status = Number(pending.slice(9, 12))
    pending = pending.slice(head + 4 + length)
    answered(status)
  })
}
