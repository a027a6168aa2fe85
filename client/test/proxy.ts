import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export interface TestProxy extends AsyncDisposable {
  readonly base: string
  /** Every request received, in order. */
  readonly requests: readonly ReceivedRequest[]
}

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** Returns true if it handled the request itself; otherwise the request is forwarded. `index` counts from 0. */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
  index: number,
) => boolean | Promise<boolean>

/** Starts a proxy in front of the service that can simulate network faults. */
export async function startProxy(service: string, intercept: Intercept): Promise<TestProxy> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers })
    handle(service, request, response, intercept, requests.length - 1).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function handle(
  service: string,
  request: IncomingMessage,
  response: ServerResponse,
  intercept: Intercept,
  index: number,
): Promise<void> {
  if (await intercept(request, response, index)) return
  const answer = await forward(service, request)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

const HOP_BY_HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect'])

/** Sends a request to the service and returns its response. */
export async function forward(service: string, request: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !HOP_BY_HOP.has(name)) headers.set(name, value)
  // `fetch` would decompress the body and keep the header.
  headers.set('accept-encoding', 'identity')
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  return fetch(service + request.url, {
    method: request.method ?? 'GET',
    headers,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  })
}
