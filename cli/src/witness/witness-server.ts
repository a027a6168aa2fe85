import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { vkey } from '@kitseal/kit'
import { addCheckpoint, type Answer, type Witness } from './add-checkpoint.ts'
import { addressLimit } from './address-limit.ts'

/** Room for 63 hashes and a checkpoint with 16 signatures of the longest known type. */
export const BODY_LIMIT_BYTES = 64 * 1024
const MAX_CONNECTIONS = 500
const MAX_IN_FLIGHT = 100
const REQUEST_TIMEOUT_MS = 10_000

export interface WitnessServerOptions {
  /** Requests per second from one address; 0 is no limit. */
  readonly requestsPerSecond: number
  readonly requestTimeoutMs?: number
  /** Called if the witness cannot continue safely, such as after a disk error. */
  readonly onFailure: (error: unknown) => void
}

/** The HTTP interface of a witness (C2SP tlog-witness). */
export function witnessServer(witness: Witness, options: WitnessServerOptions): Server {
  const { requestsPerSecond, requestTimeoutMs = REQUEST_TIMEOUT_MS, onFailure } = options
  const isAllowed = addressLimit(requestsPerSecond, () => performance.now())
  const routes = routesOf(witness)
  let inFlight = 0
  const respond = async (request: IncomingMessage): Promise<Response> => {
    if (!isAllowed(request.socket.remoteAddress ?? ''))
      return { status: 429, body: 'too many requests\n', headers: { 'retry-after': '1' } }
    if (inFlight > MAX_IN_FLIGHT) return { status: 503, body: 'busy\n', headers: { 'retry-after': '1' } }
    const route = routes.get(request.url ?? '')
    if (route === undefined) return { status: 404, body: 'not found\n' }
    if (!route.methods.includes(request.method ?? ''))
      return { status: 405, body: 'method not allowed\n', headers: { allow: route.methods.join(', ') } }
    return await route.handle(request)
  }
  const server = createServer(
    {
      maxHeaderSize: 8 * 1024,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      keepAliveTimeout: 60_000,
    },
    (request, response) => {
      inFlight++
      response.once('close', () => inFlight--)
      respond(request).then(
        (answer) => send(request, response, answer),
        (error: unknown) => {
          // The client went away: nobody is waiting for an answer.
          if (request.destroyed && !request.complete) return
          send(request, response, { status: 503, body: 'the witness has stopped\n' })
          onFailure(error)
        },
      )
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  return server
}

type Response = Answer & { readonly headers?: Readonly<Record<string, string>> }

interface Route {
  readonly methods: readonly string[]
  readonly handle: (request: IncomingMessage) => Response | Promise<Response>
}

const READ = ['GET', 'HEAD']

function routesOf(witness: Witness): ReadonlyMap<string, Route> {
  const about = `kitseal witness\n${vkey(witness.key)}\n`
  return new Map<string, Route>([
    ['/', { methods: READ, handle: () => ({ status: 200, body: about }) }],
    ['/add-checkpoint', { methods: ['POST'], handle: (request) => receive(witness, request) }],
    ...Array.from(witness.logs.keys(), (origin): [string, Route] => [
      monitoringPath(origin),
      { methods: READ, handle: () => latest(witness, origin) },
    ]),
  ])
}

/** Where the last checkpoint that was cosigned for a log is. */
export function monitoringPath(origin: string): string {
  return `/${createHash('sha256').update(origin).digest('hex')}/checkpoint`
}

function latest({ store }: Witness, origin: string): Response {
  const { note } = store.last(origin)
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=5' }
  return note === undefined
    ? { status: 404, body: 'nothing was cosigned for this log yet\n', headers }
    : { status: 200, body: note, headers }
}

async function receive(witness: Witness, request: IncomingMessage): Promise<Response> {
  if (request.headers['content-encoding'] !== undefined)
    return { status: 415, body: 'send the request without content encoding\n' }
  const body = await readBody(request)
  return body === undefined
    ? { status: 413, body: `the request is larger than ${BODY_LIMIT_BYTES} bytes\n` }
    : await addCheckpoint(witness, body)
}

/** Undefined if the body is too large. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return undefined
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    sizeBytes += chunk.length
    if (sizeBytes > BODY_LIMIT_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, contentType = 'text/plain; charset=utf-8', headers = {} }: Response,
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
    // The rest of a body that was not read is not worth reading.
    ...(request.method === 'POST' && !request.complete ? { connection: 'close' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
