// Repeats a few requests on many connections: `node bench/load.ts ORDER`, in a process of its own, so that sending does not slow down the
// server. Raw sockets and prepared bytes, because a client library would be slower than the server.
import { connect } from 'node:net'

export interface LoadOrder {
  readonly port: number
  /** Complete HTTP/1.1 requests. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly milliseconds: number
}

if (import.meta.main) {
  const { port, requests, connections, milliseconds } = JSON.parse(process.argv[2] ?? '') as LoadOrder
  const all = requests.map((text) => Buffer.from(text))
  const stopAt = performance.now() + milliseconds
  let answered = 0
  const client = async (first: number): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1')
    let turn = first
    let pending = ''
    socket.write(all[turn++ % all.length] ?? '')
    for await (const chunk of socket as AsyncIterable<string>) {
      pending += chunk
      const head = pending.indexOf('\r\n\r\n')
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending)?.[1])
      if (head < 0 || pending.length < head + 4 + length) continue
      if (!pending.startsWith('HTTP/1.1 200')) throw new Error(pending)
      answered += 1
      pending = pending.slice(head + 4 + length)
      if (performance.now() >= stopAt) break
      socket.write(all[turn++ % all.length] ?? '')
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)))
  console.log(answered / (milliseconds / 1000))
}
