// docs/decisions/0103
import { StrictJsonError, parseStrictJson } from '@kitseal/kit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'

/**
 * Bodies are read by the same strict parser that verifiers use: what two readers could understand in two ways
 * (duplicate members, lone surrogates, unsafe numbers) is refused before anything is interpreted.
 */
export function readJsonStrictly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseOtherEncodings(request)
      refuseWhatIsNoText(body as Buffer)
      done(null, parseStrictJson(body as Buffer))
    } catch (error) {
      done(jsonProblem(error))
    }
  })
}

function refuseOtherEncodings(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('media_type_unsupported', 'Send the body without Content-Encoding.')
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new Refusal('media_type_unsupported', 'Send the body in UTF-8.')
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Mistakes that are easily made, and that the parser can only call a missing value. */
function refuseWhatIsNoText(body: Buffer): void {
  if (body.length === 0) throw new Refusal('json_malformed', 'The body is empty; send a JSON object.')
  if (body.subarray(0, MARK.length).equals(MARK))
    throw new Refusal('json_malformed', 'The body starts with a byte order mark; send UTF-8 without one.')
}

function jsonProblem(error: unknown): Error {
  if (error instanceof StrictJsonError)
    return new Refusal('json_malformed', `The body is not strict JSON: ${error.message}`)
  return error instanceof Error ? error : new Error('body not read', { cause: error })
}
