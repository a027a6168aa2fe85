import { connect } from 'node:net'

export interface PollOrder {
  readonly port: number
  readonly path: string
  readonly milliseconds: number
}

export interface PollResult {
  readonly polls: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Between two polls, as with several clients. */
const PAUSE_MS = 2

// Runs in its own process, so that it measures the service and not itself.
process.on('message', (order: PollOrder) => {
  poll(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function poll({ port, path, milliseconds }: PollOrder): Promise<PollResult> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  const times: number[] = []
  const stopAt = performance.now() + milliseconds
  while (performance.now() < stopAt) {
    const started = performance.now()
    socket.write(request)
    await new Promise<void>((resolve, reject) => {
      let said = ''
      const hear = (chunk: Buffer): void => {
        said += String(chunk)
        if (!said.endsWith('}')) return
        socket.off('data', hear)
        if (said.startsWith('HTTP/1.1 200')) resolve()
        else reject(new Error(said))
      }
      socket.on('data', hear)
    })
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  socket.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { polls: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) }
}
