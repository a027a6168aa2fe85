import { StrictJsonError, parseStrictJson } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'

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
