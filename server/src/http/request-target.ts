import type { IncomingMessage } from 'node:http'
import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'

/** Rejects ambiguous requests that RFC 9112 forbids and Node accepts. */
export const isWellFormed: Rule = ({ raw }) => {
  const problem = problemOf(raw)
  return problem === undefined
    ? undefined
    : new Refusal('request_malformed', problem, { headers: { connection: 'close' } })
}

const HOST = /^(?:\[[\w.:%~-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

function problemOf({ url, httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const { host, 'transfer-encoding': coding, 'content-type': mediaType } = headers
  if (url?.startsWith('/') !== true) return 'The request target must be a path.'
  if (host === undefined && httpVersion === '1.1') return 'HTTP/1.1 requests need a Host header.'
  if (host !== undefined && (!HOST.test(host) || isSentTwice('host', rawHeaders)))
    return 'Send one Host header, with a host name or an address.'
  if (mediaType !== undefined && isSentTwice('content-type', rawHeaders))
    return 'Send one Content-Type header.'
  if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked'))
    return 'The only supported Transfer-Encoding is chunked, with HTTP/1.1.'
  return undefined
}

/** Node keeps the first of several headers and drops the others. */
function isSentTwice(field: string, rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === field.length && name.toLowerCase() === field) count += 1
  }
  return count > 1
}

/** The request target may be an absolute URL (RFC 9112, section 3.2.2). */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const [origin] = url.startsWith('/') ? [] : (/^https?:\/\/[^/?#]+/i.exec(url) ?? [])
  return origin === undefined ? url : url.slice(origin.length).replace(/^(?!\/)/, '/')
}
