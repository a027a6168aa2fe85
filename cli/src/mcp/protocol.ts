import type { Tool } from './tool.ts'
import { runTool } from './tool.ts'
import { schemaOf } from './arguments-of-tool.ts'

/** Revisions with a handshake, newest first. */
const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Without one: every request names its revision. */
const STATELESS = '2026-07-28'
const KEY = 'io.modelcontextprotocol/'

export interface Server {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly tools: readonly Tool[]
}

/** An error of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number
  readonly data: object | undefined

  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603
const UNSUPPORTED_VERSION = -32_022

type Params = Readonly<Record<string, unknown>>

/** The result of a request. Throws an RpcError. */
export async function resultOf(
  server: Server,
  method: string,
  given: unknown,
  signal: AbortSignal,
): Promise<object> {
  if (!isObject(given)) throw new RpcError(INVALID_PARAMS, 'params must be an object')
  const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  const isStateless = isStatelessRequest(given)
  if (handler === undefined)
    throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method.slice(0, 100)}`)
  const result = await handler(server, given, signal)
  if (!isStateless) return result
  const { name, version } = server
  return { ...result, resultType: 'complete', _meta: { [`${KEY}serverInfo`]: { name, version } } }
}

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the request names a revision without a handshake. */
function isStatelessRequest({ _meta }: Params): boolean {
  const requested = isObject(_meta) ? _meta[`${KEY}protocolVersion`] : undefined
  if (requested === undefined) return false
  if (requested === STATELESS) return true
  const data = { supported: [STATELESS, ...WITH_HANDSHAKE], requested: String(requested).slice(0, 100) }
  throw new RpcError(UNSUPPORTED_VERSION, 'unsupported protocol version', data)
}

type Handler = (server: Server, params: Params, signal: AbortSignal) => object | Promise<object>

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

  'tools/list': ({ tools }, { cursor }) => {
    if (cursor !== undefined) throw new RpcError(INVALID_PARAMS, 'there is only one page')
    return { tools: tools.map(descriptionOf), ...CACHE }
  },

  'tools/call': async ({ tools }, { name, arguments: given = {} }, signal) => {
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined)
      throw new RpcError(INVALID_PARAMS, `unknown tool ${JSON.stringify(String(name).slice(0, 100))}`)
    return runTool(tool, given, signal)
  },
}

function descriptionOf({ name, title, description, table, changes }: Tool): object {
  const annotations = {
    title,
    readOnlyHint: !changes,
    destructiveHint: false,
    idempotentHint: !changes,
    openWorldHint: changes,
  }
  return { name, title, description, inputSchema: schemaOf(table), annotations }
}
