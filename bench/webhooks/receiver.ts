import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** What the receivers at paths /0, /1, … got so far. */
export interface Arrivals {
  /** Messages that were accepted, in all. */
  readonly accepted: number
  /** Of each path: the newest event. */
  readonly newest: readonly number[]
  /** First arrivals that were not the event after the newest. */
  readonly outOfOrder: number
  /** Arrivals of events that had arrived before. */
  readonly repeated: number
  readonly faults: number
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  arrivals(): Promise<Arrivals>
  /** From now on, expects event 1 first, and fails a message with this probability: with 500, or in one of five ways. */
  reset(paths: number, faultRate: number, kinds?: 1 | 5): Promise<void>
}

type Order =
  | { readonly is: 'arrivals' }
  | { readonly is: 'reset'; paths: number; faultRate: number; kinds: number }

/** Receives webhooks in a thread of its own, so that it does not wait for the sender. */
export async function receiver(): Promise<Receiver> {
  const worker = new Worker(new URL(import.meta.url))
  const answer = <T>(): Promise<T> => new Promise((settle) => worker.once('message', settle))
  const ask = async <T>(order: Order): Promise<T> => {
    const answered = answer<T>()
    worker.postMessage(order)
    return answered
  }
  const port = await answer<number>()
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals: () => ask({ is: 'arrivals' }),
    reset: (paths, faultRate, kinds = 5) => ask({ is: 'reset', paths, faultRate, kinds }),
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

if (!isMainThread) serve()

function serve(): void {
  let state = { accepted: 0, newest: Array.of<number>(), outOfOrder: 0, repeated: 0, faults: 0 }
  let [faultRate, kinds] = [0, 5]
  const accept = (path: number, seq: number): void => {
    const newest = state.newest[path] ?? 0
    state.accepted += 1
    if (seq <= newest) state.repeated += 1
    else if (seq !== newest + 1) state.outOfOrder += 1
    state.newest[path] = Math.max(newest, seq)
  }
  const receive = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const path = Number(request.url?.slice(1))
    const { seq } = JSON.parse(body) as { readonly seq: number }
    if (Math.random() >= faultRate) {
      accept(path, seq)
      response.writeHead(204).end()
      return
    }
    state.faults += 1
    const kind = Math.floor(Math.random() * kinds)
    if (kind === 0) response.writeHead(500).end()
    else if (kind === 1) response.writeHead(307, { location: '/0' }).end()
    else if (kind === 2) request.socket.destroy()
    else if (kind === 3) {
      // The message is processed, and the answer is lost.
      accept(path, seq)
      request.socket.destroy()
    }
    // Or no answer at all.
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => receive(request, response, body))
  })
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
  parentPort?.on('message', (order: Order) => {
    if (order.is === 'reset') {
      ;[faultRate, kinds] = [order.faultRate, order.kinds]
      state = {
        accepted: 0,
        newest: Array.from({ length: order.paths }, () => 0),
        outOfOrder: 0,
        repeated: 0,
        faults: 0,
      }
    }
    parentPort?.postMessage(state)
  })
}
