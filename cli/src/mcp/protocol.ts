import type { Place } from './run-kitseal.ts'
import { callTool, describedTools } from './tools.ts'

/** Revisions with a handshake, newest first. */
const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2024-11-05']
/** Without one: every request names its revision. */
const STATELESS = '2026-07-28'
const KEY = 'io.modelcontextprotocol/'
const MAX_LINE_BYTES = 1024 * 1024
const MAX_AT_ONCE = 8

export interface Server {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly place: Place
}

/** An error of JSON-RPC. */
class RpcError extends Error {
  readonly code: number
  readonly data: object | undefined

  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.data = data
  }
}

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603
const BUSY = -32_000
const UNSUPPORTED_VERSION = -32_022

type Id = string | number
type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Lines {
  readonly input: AsyncIterable<Uint8Array>
  readonly write: (line: string) => void
  /** A bug: the caller learns only that there was one. */
  readonly onBug: (error: unknown) => void
}

/**
 * Answers JSON-RPC messages, one on each line, until the input ends and every request is answered. It never stops reading, so that
 * a cancellation arrives however much is running.
 */
export async function serveLines(server: Server, { input, write, onBug }: Lines): Promise<void> {
  const running = new Map<Id, { readonly stop: AbortController; readonly work: Promise<void> }>()
  const fail = (id: Id | null, { code, message, data }: RpcError): void =>
    write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }))

  const perform = async (id: Id, method: string, params: unknown, stop: AbortController): Promise<void> => {
    try {
      const result = await resultOf(server, method, params, stop.signal)
      if (!stop.signal.aborted) write(JSON.stringify({ jsonrpc: '2.0', id, result }))
    } catch (error) {
      if (stop.signal.aborted) return
      if (!(error instanceof RpcError)) onBug(error)
      fail(id, error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'internal error'))
    } finally {
      running.delete(id)
    }
  }

  for await (const line of linesOf(input)) {
    if (line?.length === 0) continue
    const message = parse(line)
    if (message instanceof RpcError) {
      fail(null, message)
      continue
    }
    const { jsonrpc, id, method, params = {} } = isObject(message) ? message : {}
    if (method === 'notifications/cancelled')
      running.get((params as { requestId: Id }).requestId)?.stop.abort()
    if (
      jsonrpc === '2.0' &&
      typeof method === 'string' &&
      (typeof id === 'string' || Number.isSafeInteger(id))
    ) {
      const own = id as Id
      if (running.size >= MAX_AT_ONCE || running.has(own)) {
        fail(own, new RpcError(BUSY, `at most ${MAX_AT_ONCE} requests at once, each with its own ID`))
        continue
      }
      const stop = new AbortController()
      const start = Promise.resolve()
      running.set(own, { stop, work: start.then(() => perform(own, method, params, stop)) })
      continue
    }
    // Notifications, and responses: this server asks nothing.
    const isSilent = isObject(message) && !('id' in message) && typeof method === 'string'
    const isResponse = isObject(message) && ('result' in message || 'error' in message)
    if (!isSilent && !isResponse) fail(null, new RpcError(INVALID_REQUEST, 'not a request of JSON-RPC 2.0'))
  }
  await Promise.all([...running.values()].map(({ work }) => work))
}

const NEWLINE = 0x0a

/** Undefined for a line that is too long. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined, void> {
  let parts: Uint8Array[] = []
  let size = 0
  const add = (part: Uint8Array): void => {
    size += part.length
    parts = size > MAX_LINE_BYTES ? [] : [...parts, part]
  }
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
}

function parse(line: Uint8Array | undefined): unknown {
  if (line === undefined) return new RpcError(PARSE_ERROR, `a line has at most ${MAX_LINE_BYTES} bytes`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as unknown
  } catch {
    return new RpcError(PARSE_ERROR, 'the line is not JSON in UTF-8')
  }
}

/** The result of a request. Throws an RpcError. */
async function resultOf(
  server: Server,
  method: string,
  given: unknown,
  signal: AbortSignal,
): Promise<object> {
  if (!isObject(given)) throw new RpcError(INVALID_PARAMS, 'params must be an object')
  const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  const requested = isObject(given['_meta']) ? given['_meta'][`${KEY}protocolVersion`] : undefined
  if (requested !== undefined && requested !== STATELESS)
    throw new RpcError(UNSUPPORTED_VERSION, 'unsupported protocol version', {
      supported: [STATELESS, ...WITH_HANDSHAKE],
      requested: String(requested).slice(0, 100),
    })
  if (handler === undefined)
    throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method.slice(0, 100)}`)
  const result = await handler(server, given, signal)
  if (requested === undefined) return result
  const { name, version } = server
  return { ...result, resultType: 'complete', _meta: { [`${KEY}serverInfo`]: { name, version } } }
}

type Handler = (server: Server, params: Members, signal: AbortSignal) => object | Promise<object>

const CAPABILITIES = { tools: {} }
const CACHE = { ttlMs: 3_600_000, cacheScope: 'private' }

const METHODS: Readonly<Record<string, Handler>> = {
  initialize: ({ name, version, instructions }, { protocolVersion }) => ({
    // Another revision than the one that was asked for means: take it or disconnect.
    protocolVersion: WITH_HANDSHAKE.find((known) => known === protocolVersion) ?? WITH_HANDSHAKE[0],
    capabilities: CAPABILITIES,
    serverInfo: { name, version },
    instructions,
  }),

  'server/discover': ({ instructions }) => ({
    supportedVersions: [STATELESS, ...WITH_HANDSHAKE],
    capabilities: CAPABILITIES,
    instructions,
    ...CACHE,
  }),

  ping: () => ({}),

  'tools/list': ({ place }, { cursor }) => {
    if (cursor !== undefined) throw new RpcError(INVALID_PARAMS, 'there is only one page')
    return { tools: describedTools(place), ...CACHE }
  },

  'tools/call': async ({ place }, { name, arguments: given = {} }, signal) =>
    (await callTool(place, name, given, signal)) ??
    Promise.reject(
      new RpcError(INVALID_PARAMS, `unknown tool ${JSON.stringify(String(name).slice(0, 100))}`),
    ),
}
