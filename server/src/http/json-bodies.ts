import { StrictJsonError, parseStrictJson } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest, FastifyReply, FastifyServerOptions } from 'fastify'
import { Refusal } from '../refusals.ts'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { preferredCoding } from './request-headers.ts'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

/** Parses bodies with the strict parser that verifiers use: ambiguous JSON (duplicate members, lone surrogates, unsafe numbers) is rejected. */
export function readJsonStrictly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      rejectEncoding(request)
      rejectEmptyOrMarked(body as Buffer)
      done(null, parseStrictJson(body as Buffer))
    } catch (error) {
      done(jsonProblem(error))
    }
  })
}

function rejectEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('media_type_unsupported', 'Send the body without Content-Encoding.')
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new Refusal('media_type_unsupported', 'Send the body in UTF-8.')
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Common mistakes, with a better message than the parser's. */
function rejectEmptyOrMarked(body: Buffer): void {
  if (body.length === 0) throw new Refusal('json_malformed', 'The body is empty. Send a JSON object.')
  if (body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
    throw new Refusal('json_malformed', 'The body starts with a byte order mark. Send UTF-8 without one.')
}

function jsonProblem(error: unknown): Error {
  if (error instanceof StrictJsonError)
    return new Refusal('json_malformed', `The body is not strict JSON: ${error.message}`)
  return error instanceof Error ? error : new Error('body not read', { cause: error })
}

/** Below this, compression saves no packet. */
const MIN_BYTES = 1024
const JSON_TYPE = /^application\/(?:json|jsonl|schema\+json)(?:;|$)/
/** The API and its documents. Not the console, nor what is under the token of a link. */
const DOCUMENTS = /^\/(?:\.well-known\/|openapi\.json$|openapi\/|schemas(?:\/|$))/
const isOfApi = (url: string): boolean => url.startsWith('/v1/') || DOCUMENTS.test(url)
/** A digest, a range or a name: a file that arrives as it is stored. */
const NOT_COMPRESSED = [
  'repr-digest',
  'content-range',
  'content-disposition',
  'content-encoding',
  'set-cookie',
]

const SETTINGS = {
  gzip: { level: 5 },
  br: {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  },
} as const

/** Compresses JSON for clients that ask for it, unless it does not get smaller. */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 304) setValidator(request, reply)
    if (!isCompressible(request, reply, payload)) return done(null, payload)
    varyByEncoding(reply)
    const coding = preferredCoding(request.headers['accept-encoding'])
    if (coding === undefined) return done(null, payload)
    const finish = (error: Error | null, bytes: Buffer): void => {
      if (error !== null || bytes.length >= Buffer.byteLength(payload)) return done(null, payload)
      const etag = reply.getHeader('etag')
      if (typeof etag === 'string') reply.header('etag', weak(etag))
      reply.header('content-encoding', coding).removeHeader('content-length')
      return done(null, bytes)
    }
    return coding === 'br'
      ? brotliCompress(payload, SETTINGS.br, finish)
      : gzip(payload, SETTINGS.gzip, finish)
  })
}

/** GET and HEAD only: secrets, such as a new API key, are in responses to POST. A cookie would let a website guess by size (BREACH). */
function isCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  if (Buffer.byteLength(payload) < MIN_BYTES || headers.cookie !== undefined) return false
  return (
    isOfApi(request.routeOptions.url ?? '') &&
    JSON_TYPE.test(String(reply.getHeader('content-type'))) &&
    !NOT_COMPRESSED.some((name) => reply.hasHeader(name))
  )
}

/** 304 has the ETag that the client has: the weak one if it got the document compressed. */
function setValidator({ headers, routeOptions: { url = '' } }: FastifyRequest, reply: FastifyReply): void {
  if (!DOCUMENTS.test(url)) return
  varyByEncoding(reply)
  const etag = String(reply.getHeader('etag'))
  if (headers['if-none-match']?.includes(weak(etag)) === true) reply.header('etag', weak(etag))
}

/** The bytes differ by coding, so that the ETag of compressed bytes is not a strong one. */
const weak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
}

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compiler = ReturnType<Factory>

/** Compiles one serializer per schema instead of one per route and status, on first use. Compiling all would dominate startup time. */
export const sharedSerializers: Factory = (externalSchemas, options) => {
  const compile: Compiler = SerializerSelector()(externalSchemas, options)
  const shared = new Map<string, ReturnType<Compiler>>()
  return (route) => {
    const key = JSON.stringify(route.schema)
    let serialize: ReturnType<Compiler> | undefined
    return (data) => {
      if (serialize === undefined) {
        serialize = shared.get(key) ?? compile(route)
        shared.set(key, serialize)
      }
      return serialize(data)
    }
  }
}
