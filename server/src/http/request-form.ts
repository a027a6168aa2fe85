import type { IncomingMessage } from 'node:http'
import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'

/** Where RFC 9112 says 400 and Node's parser does not: what two readers on the way could take in two ways. */
export const isWellFormed: Rule = ({ raw }) => {
  const problem = problemOf(raw)
  return problem === undefined
    ? undefined
    : new Refusal('request_malformed', problem, { headers: { connection: 'close' } })
}

const HOST = /^(?:\[[\w.:%~-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

function problemOf({ url, httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const { host, 'transfer-encoding': coding, 'content-type': mediaType } = headers
  if (url?.startsWith('/') !== true) return 'The request names no path.'
  if (host === undefined && httpVersion === '1.1') return 'An HTTP/1.1 request needs a Host header field.'
  if (host !== undefined && (!HOST.test(host) || isSentTwice('host', rawHeaders)))
    return 'Send one Host header field, with a name or an address.'
  if (mediaType !== undefined && isSentTwice('content-type', rawHeaders))
    return 'Send one Content-Type header field.'
  if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked'))
    return 'There is no Transfer-Encoding but chunked, and none before HTTP/1.1.'
  return undefined
}

/** Node keeps the first of them, and says nothing of the others. */
function isSentTwice(field: string, rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === field.length && name.toLowerCase() === field) count += 1
  }
  return count > 1
}

/** RFC 9112, section 3.2.2: a request may name its path by a whole URL. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const [origin] = url.startsWith('/') ? [] : (/^https?:\/\/[^/?#]+/i.exec(url) ?? [])
  return origin === undefined ? url : url.slice(origin.length).replace(/^(?!\/)/, '/')
}
