import { type Server, type ServerResponse, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket, AddressInfo } from 'node:net'
import { AddressCounts } from './addresses.ts'
import type { FastifyInstance } from 'fastify'
import type { Identifiers } from '../runtime/identifiers.ts'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { errorResponse } from './error-response.ts'

/** Closes new connections of an address that has too many. Not for use behind a proxy, which is the address of all. */
export function limitConnections(server: Server, maxPerAddress: number): void {
  const open = new AddressCounts()
  server.prependListener('connection', (socket: Socket) => {
    if (open.add(socket.remoteAddress ?? '', socket) > maxPerAddress) socket.destroy()
  })
}

/**
 * Browsers open connections in advance. Node counts a connection that never sent anything as active and would delay
 * shutdown until its timeout, so such connections are closed on shutdown.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const server: Server = app.server
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}

/** Node checks twice for progress, so a stalled response is closed after a minute. */
const STALL_TIMEOUT_MS = 30_000

/**
 * Closes the connection of a client that stopped reading, which would count as a request in flight forever. The client can resume
 * with a range request. A response that the service itself is slow to produce is not closed.
 */
export function closeStalledResponses(server: Server, timeoutMs = STALL_TIMEOUT_MS): void {
  server.setTimeout(timeoutMs)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.on('timeout', closeIfStalled)
  })
}

function closeIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

/** Connections exempt from the request timeout, because the reader of the body applies an idle timeout instead. */
const sockets = new WeakSet<Socket>()

export function exemptFromTimeout(socket: Socket): Disposable {
  sockets.add(socket)
  return { [Symbol.dispose]: () => sockets.delete(socket) }
}

const isExemptFromTimeout = (socket: Socket): boolean => sockets.has(socket)

/** If a server listens on every interface: its loopback address, which works on the same machine, also if that is a container. */
export function reachableUrl(bound: AddressInfo | string | null): string {
  const { address, port } = bound as AddressInfo
  const host = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[address] ?? address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface RawResponses {
  readonly identifiers: Identifiers
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Requests that Node rejects before Fastify sees them get an ErrorResponse too. */
export function handleClientErrors(raw: RawResponses): (error: Error, socket: Socket) => void {
  const waiting = new WeakSet<Socket>()
  const answer = (error: Error, socket: Socket): void => {
    if (isTimeout(error) && isExemptFromTimeout(socket)) return
    const response = currentResponse(socket)
    if (response?.req.complete === true) {
      // The bad bytes follow a good request on the same connection, whose response goes first.
      if (!waiting.has(socket))
        response.once('finish', () => {
          waiting.delete(socket)
          if (socket.writable) answer(error, socket)
        })
      waiting.add(socket)
      return
    }
    const [code, message] = PARSER[(error as NodeJS.ErrnoException).code ?? ''] ?? MALFORMED
    // The client is gone, or part of a response was already sent.
    if (!socket.writable || response?.headersSent === true) socket.destroy()
    else socket.end(rawResponse(raw, code, message), () => socket.destroy())
  }
  return answer
}

const isTimeout = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** Node answers an unknown `Expect` and CONNECT without a body. Send an ErrorResponse instead. */
export function handleNodeRejections(server: Server, raw: RawResponses): void {
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    socket.end(rawResponse(raw, 'expectation_failed', '100-continue is the only supported Expect value.'))
  })
  server.on('connect', (_request: unknown, socket: Socket) => {
    socket.end(
      rawResponse(raw, 'method_not_allowed', 'CONNECT is not supported. This service is not a proxy.'),
    )
  })
}

/** Node keeps the response in progress at the socket, and uses it in the same way for its own error responses. */
const currentResponse = (socket: Socket): ServerResponse | undefined => Reflect.get(socket, '_httpMessage')

const JSON_TYPE = 'application/json; charset=utf-8'
const MALFORMED = ['request_malformed', 'The HTTP request is malformed.'] as const
const PARSER: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

function rawResponse({ identifiers, headers }: RawResponses, code: RefusalCode, message: string): string {
  const status = REFUSALS[code][0]
  const requestId = identifiers.requestId()
  const body = JSON.stringify(errorResponse(code, message, requestId))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(code === 'method_not_allowed' ? ['allow: GET, HEAD, POST'] : []),
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
