import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { ANY_ORIGIN } from './headers.ts'
import { failsIfMatch, matchesWeakly } from './request-headers.ts'

/** What any website may read, and tools ask for again. */
export interface Document {
  readonly body: Buffer
  readonly etag: string
}

export const etagOf = (body: Buffer | string): string =>
  `"${createHash('sha256').update(body).digest('base64url')}"`

/** Not at all if the reader has it, or wants another one. */
export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Document,
  caching: string,
): FastifyReply {
  reply.headers({ etag, 'cache-control': caching, ...ANY_ORIGIN })
  if (failsIfMatch(headers['if-match'], etag))
    throw new Refusal('precondition_failed', 'The document does not match If-Match.')
  return matchesWeakly(headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body)
}
