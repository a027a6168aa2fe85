import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export interface Between extends AsyncDisposable {
  readonly base: string
  /** Method, path and the headers that matter, of each request that came through. */
  readonly seen: readonly Seen[]
}

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** Handles a request by itself (true), or lets it through. `turn` counts from 0. */
export type Meddle = (
  request: IncomingMessage,
  response: ServerResponse,
  turn: number,
) => boolean | Promise<boolean>

/** Stands between client and service, and does to the connection what networks do. */
export async function between(service: string, meddle: Meddle): Promise<Between> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers })
    // A request that is cut on the way is cut on both sides.
    handle(service, request, response, meddle, seen.length - 1).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    seen,
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
  meddle: Meddle,
  turn: number,
): Promise<void> {
  if (await meddle(request, response, turn)) return
  const answer = await passOn(service, request)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

/** The service's own answer to a request. */
export async function passOn(service: string, request: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    const isOfTheHop = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'].includes(name)
    if (typeof value === 'string' && !isOfTheHop) headers.set(name, value)
  }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  return fetch(service + request.url, {
    method: request.method ?? 'GET',
    headers,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  })
}
