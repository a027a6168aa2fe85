import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { matchesWeakly, failsIfMatch, parseRange, matchesIfRange } from '../http/request-headers.ts'

/** A kit never changes. `private`, because its ID is a capability. What a key or a session unlocked is not kept. */
const CACHE_FOREVER = 'private, max-age=31536000, immutable'
const CACHE_NOTHING = 'private, no-store'

/** An immutable file. */
export interface Download {
  /** For error messages. */
  readonly is: 'kit' | 'file'
  /** Strong. */
  readonly etag: string
  /** Hex. Undefined if it is not known. */
  readonly sha256?: string | undefined
  readonly sizeBytes: number
  readonly mediaType: string
  readonly fileName: string
}

/** Sets status and headers and returns the byte range to send (`end` is exclusive). Undefined means 304: send no body. */
export function setDownloadHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { is, etag, sha256, sizeBytes, mediaType, fileName }: Download,
): { readonly start: number; readonly end: number } | undefined {
  reply.header('accept-ranges', 'bytes')
  if (isNotModified(request, reply, { is, etag })) return undefined
  const { headers, method } = request
  const isCurrent = method === 'GET' && matchesIfRange(joined(headers['if-range']), etag)
  const range = parseRange(isCurrent ? headers.range : undefined, sizeBytes)
  if (range.is === 'unsatisfiable') {
    throw new Refusal(
      'range_not_satisfiable',
      `The range is outside the ${is}, which has ${sizeBytes} bytes.`,
      {
        headers: { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' },
      },
    )
  }
  const { start, end } = range.is === 'part' ? range : { start: 0, end: sizeBytes }
  if (range.is === 'part') reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`)
  reply
    .type(mediaType)
    .header('content-length', end - start)
    .header('content-disposition', attachment(fileName))
  setDigest(reply, sha256)
  return { start, end }
}

/** `Repr-Digest` (RFC 9530): of the whole file, also if a range of it is sent. */
export function setDigest(reply: FastifyReply, sha256: string | undefined): void {
  if (sha256 !== undefined)
    reply.header('repr-digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
}

/** With the name in UTF-8 (RFC 8187) if it is not plain ASCII. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^ !#-[\]-~]/gu, '_')
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`
}

/** Sets the ETag and evaluates `If-Match` and `If-None-Match`. True means 304: send no body. */
export function isNotModified(
  { headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>,
  reply: FastifyReply,
  { is, etag }: Pick<Download, 'is' | 'etag'>,
): boolean {
  reply
    .header('etag', etag)
    .header('cache-control', caller.is === 'workspace' ? CACHE_NOTHING : CACHE_FOREVER)
  if (failsIfMatch(headers['if-match'], etag))
    throw new Refusal('precondition_failed', `The ETag of the ${is} does not match If-Match.`, {
      headers: { etag },
    })
  const isMatch = matchesWeakly(headers['if-none-match'], etag)
  if (isMatch) reply.code(304)
  return isMatch
}

function joined(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',')
}
