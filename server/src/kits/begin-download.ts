import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { namesEntity, namesOther, rangeAsked, rangeStillHolds } from '../http/byte-range.ts'

/** A kit never changes; whoever has it need not ask again. Its id is a capability, so that no shared cache keeps it. */
const UNCHANGING = 'private, max-age=31536000, immutable'

/** Something that is downloaded, whole or in part, and never changes. */
export interface Download {
  /** What the caller knows it as. */
  readonly is: 'kit' | 'file'
  /** Strong. */
  readonly etag: string
  readonly sizeBytes: number
  readonly mediaType: string
  readonly fileName: string
}

/**
 * Everything of the answer but its body, which are the bytes from `start` up to, not including, `end`; undefined where the
 * caller has them already, and nothing is to follow.
 */
export function beginDownload(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { is, etag, sizeBytes, mediaType, fileName }: Download,
): { readonly start: number; readonly end: number } | undefined {
  reply.header('accept-ranges', 'bytes')
  if (isThereAlready(headers, reply, { is, etag })) return undefined
  const holds = method === 'GET' && rangeStillHolds(oneField(headers['if-range']), etag)
  const asked = rangeAsked(holds ? headers.range : undefined, sizeBytes)
  if (asked.is === 'unsatisfiable') {
    throw new Refusal('range_not_satisfiable', `The ${is} has ${sizeBytes} bytes.`, {
      headers: { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' },
    })
  }
  const { start, end } = asked.is === 'part' ? asked : { start: 0, end: sizeBytes }
  if (asked.is === 'part') reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`)
  reply
    .type(mediaType)
    .header('content-length', end - start)
    .header('content-disposition', `attachment; filename="${fileName}"`)
  return { start, end }
}

/** Tells the tag; refuses who asks for another one. Where the caller has this one already, nothing is to follow. */
export function isThereAlready(
  headers: FastifyRequest['headers'],
  reply: FastifyReply,
  { is, etag }: Pick<Download, 'is' | 'etag'>,
): boolean {
  reply.header('etag', etag).header('cache-control', UNCHANGING)
  if (namesOther(headers['if-match'], etag))
    throw new Refusal('precondition_failed', `The ${is} is not the one that If-Match names.`, {
      headers: { etag },
    })
  const isThere = namesEntity(headers['if-none-match'], etag)
  if (isThere) reply.code(304)
  return isThere
}

function oneField(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',')
}
