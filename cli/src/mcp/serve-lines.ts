import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, resultOf, RpcError, type Server } from './protocol.ts'

const MAX_LINE_BYTES = 1024 * 1024
const MAX_AT_ONCE = 8

export interface Lines {
  readonly input: AsyncIterable<Uint8Array>
  readonly write: (line: string) => void
  /** A bug: the caller learns only that there was one. */
  readonly onBug: (error: unknown) => void
}

/** Answers JSON-RPC messages, one on each line, until the input ends and every request is answered. */
export async function serveLines(server: Server, { input, write, onBug }: Lines): Promise<void> {
  const cancellable = new Map<unknown, AbortController>()
  const answer = async (message: unknown): Promise<object | undefined> => {
    const stop = new AbortController()
    const id = isRequest(message) ? message.id : undefined
    if (id !== undefined) cancellable.set(id, stop)
    const response = await responseTo(server, message, stop.signal, onBug)
    cancellable.delete(id)
    return stop.signal.aborted ? undefined : response
  }
  const answerAll = async (message: unknown): Promise<object | undefined> => {
    if (!Array.isArray(message)) return answer(message)
    if (message.length === 0 || message.length > MAX_AT_ONCE)
      return errorResponse(null, new RpcError(INVALID_REQUEST, `a batch has 1 to ${MAX_AT_ONCE} messages`))
    const responses = (await Promise.all(message.map(answer))).filter((each) => each !== undefined)
    return responses.length === 0 ? undefined : responses
  }

  const running = new Set<Promise<void>>()
  for await (const line of linesOf(input)) {
    if (line?.length === 0) continue
    const message = parse(line)
    if (message instanceof RpcError) {
      write(JSON.stringify(errorResponse(null, message)))
      continue
    }
    const cancelled = cancelledBy(message)
    if (cancelled !== undefined) cancellable.get(cancelled)?.abort(new RpcError(INTERNAL_ERROR, 'cancelled'))
    const work: Promise<void> = answerAll(message).then((response) => {
      if (response !== undefined) write(JSON.stringify(response))
      running.delete(work)
    })
    running.add(work)
    if (running.size >= MAX_AT_ONCE) await Promise.race(running)
  }
  await Promise.all(running)
}

/** Undefined for a line that is too long. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined, void> {
  let parts: Uint8Array[] = []
  let size = 0
  const end = (): Uint8Array | undefined => {
    const line = size > MAX_LINE_BYTES ? undefined : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, at))
      yield end()
      start = at + 1
    }
    add(chunk.subarray(start))
  }
  if (size > 0) yield end()

  function add(part: Uint8Array): void {
    size += part.length
    if (size <= MAX_LINE_BYTES) parts.push(part)
    else parts = []
  }
}

const NEWLINE = 0x0a

function parse(line: Uint8Array | undefined): unknown {
  if (line === undefined) return new RpcError(PARSE_ERROR, `a line has at most ${MAX_LINE_BYTES} bytes`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as unknown
  } catch {
    return new RpcError(PARSE_ERROR, 'the line is not JSON in UTF-8')
  }
}

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Request extends Message {
  readonly id: string | number
  readonly method: string
}

const isRequest = (value: unknown): value is Request =>
  isMessage(value) &&
  value.jsonrpc === '2.0' &&
  (typeof value.id === 'string' || Number.isSafeInteger(value.id)) &&
  typeof value.method === 'string'

function cancelledBy(message: unknown): unknown {
  if (!isMessage(message) || message.method !== 'notifications/cancelled') return undefined
  return (message.params as { readonly requestId?: unknown } | undefined | null)?.requestId
}

/** Undefined for notifications, and for responses: this server asks nothing. */
async function responseTo(
  server: Server,
  message: unknown,
  signal: AbortSignal,
  onBug: Lines['onBug'],
): Promise<object | undefined> {
  if (!isRequest(message)) {
    const isSilent = isMessage(message) && !('id' in message) && typeof message.method === 'string'
    const isResponse = isMessage(message) && ('result' in message || 'error' in message)
    return isSilent || isResponse
      ? undefined
      : errorResponse(null, new RpcError(INVALID_REQUEST, 'not a request of JSON-RPC 2.0'))
  }
  const { id, method, params = {} } = message
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(server, method, params, signal) }
  } catch (error) {
    if (error instanceof RpcError) return errorResponse(id, error)
    if (!signal.aborted) onBug(error)
    return errorResponse(id, new RpcError(INTERNAL_ERROR, 'internal error'))
  }
}

const errorResponse = (id: string | number | null, { code, message, data }: RpcError): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})
