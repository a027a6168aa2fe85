import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Identifiers } from '../identifiers.ts'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { errorAnswer } from './error-answer.ts'
import { takesLong } from './slow-bodies.ts'

export interface RawAnswers {
  readonly identifiers: Identifiers
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** What Node refuses before any route is reached gets the contract's error shape too. */
export function answerClientErrors(raw: RawAnswers): (error: Error, socket: Socket) => void {
  const waiting = new WeakSet<Socket>()
  const answer = (error: Error, socket: Socket): void => {
    if (isTimeout(error) && takesLong(socket)) return
    const inHand = answerInHand(socket)
    if (inHand?.req.complete === true) {
      // What can't be read follows a request that was: its answer comes first.
      if (!waiting.has(socket))
        inHand.once('finish', () => {
          waiting.delete(socket)
          if (socket.writable) answer(error, socket)
        })
      waiting.add(socket)
      return
    }
    const [code, message] = PARSER[(error as NodeJS.ErrnoException).code ?? ''] ?? MALFORMED
    // The peer is gone, or part of an answer is on its way: there is nothing left to say.
    if (!socket.writable || inHand?.headersSent === true) socket.destroy()
    else socket.end(rawAnswer(raw, code, message), () => socket.destroy())
  }
  return answer
}

const isTimeout = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** Two more of Node's own answers that have no body: an unmet `Expect`, and CONNECT. */
export function answerRefusedByNode(server: Server, raw: RawAnswers): void {
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    socket.end(rawAnswer(raw, 'expectation_failed', 'Send no Expect but 100-continue.'))
  })
  server.on('connect', (_request: unknown, socket: Socket) => {
    socket.end(rawAnswer(raw, 'method_not_allowed', 'This service is no proxy.'))
  })
}

/** Node keeps the answer in hand at the socket, and decides by it in the same way when it answers on its own. */
const answerInHand = (socket: Socket): ServerResponse | undefined => Reflect.get(socket, '_httpMessage')

const JSON_TYPE = 'application/json; charset=utf-8'
const MALFORMED = ['request_malformed', 'The HTTP request can not be read.'] as const
const PARSER: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The header fields of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

function rawAnswer({ identifiers, headers }: RawAnswers, code: RefusalCode, message: string): string {
  const status = REFUSALS[code][0]
  const requestId = identifiers.requestId()
  const body = JSON.stringify(errorAnswer(code, message, requestId))
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
