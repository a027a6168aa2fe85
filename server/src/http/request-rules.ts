import type { IncomingMessage } from 'node:http'
import { Refusal } from '../refusals.ts'
import { type Rule, PROBES } from './admission.ts'
import { isIP } from 'node:net'
import { unknownName } from './validate-request.ts'

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

/**
 * A website can point its own name at this address and then read answers as if it were this service (DNS rebinding). Such requests
 * carry its name in `Host`; addresses and loopback names cannot be pointed elsewhere.
 */
export function isKnownHost(issuer: () => string): Rule {
  let own: string | undefined
  /** The issuer is known once the service listens. */
  const isOwn = (name: string): boolean => issuer() !== '' && name === (own ??= new URL(issuer()).hostname)
  return ({ raw, url }) => {
    const { host } = raw.headers
    if (host === undefined || PROBES.has(url)) return undefined
    const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
    const isLoopback = name === 'localhost' || name.endsWith('.localhost')
    if (isLoopback || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || isOwn(name)) return undefined
    return new Refusal(
      'host_unknown',
      'This service does not have this name. Use the host of its issuer; its operator sets it with KITSEAL_ISSUER.',
    )
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For pages, which people open with links that others have added parameters to. */
    readonly ignoresQuery?: true
  }
}

const MAX_SHOWN = 20

/** Rejects query parameters on routes without any. A route with parameters has a closed schema. */
export const hasNoUnknownParameters: Rule = (request) => {
  // First, because Fastify puts the options of the route together each time.
  if (!request.url.includes('?') || request.is404) return undefined
  const { config, schema } = request.routeOptions
  if (config.ignoresQuery === true || schema?.querystring !== undefined) return undefined
  const names = Object.keys(request.query as object)
  if (names.length === 0) return undefined
  const problems = names.slice(0, MAX_SHOWN).map((name) => unknownName(name))
  const shown = problems.map(({ text }) => text).join('; ')
  return new Refusal('query_invalid', `${shown}. This path has no query parameters.`, {
    param: problems[0]?.param,
  })
}
