import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { type Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress, networkRule } from '../http/addresses.ts'

interface Outgoing {
  readonly allowed: AllowedAddresses
  readonly headers: Readonly<Record<string, string>>
  readonly agent: Agent | false
  readonly timeoutMs: number
  /** No more of the response is read. */
  readonly limitBytes: number
  /** Sent with POST. Without it, the request is a GET. */
  readonly body?: string
  /** Resolves names; for tests. */
  readonly resolve?: typeof lookUp | undefined
}

interface Received {
  readonly status: number
  /** Undefined if the response was too large or broke off. */
  readonly content: Buffer | undefined
}

/**
 * A request to a system that nobody trusts. The address is checked where the connection is made, so a name that resolves to
 * another address the next time gains nothing. Redirects are not followed. Rejects if there is no response.
 */
export function exchange(
  url: URL,
  { allowed, headers, agent, timeoutMs, limitBytes, body, resolve = lookUp }: Outgoing,
): Promise<Received> {
  const isEncrypted = url.protocol === 'https:'
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  // The lookup is not called for addresses.
  const refused = isIP(host) === 0 ? undefined : allowed.problem(host, isEncrypted)
  if (refused !== undefined) return Promise.reject(new Error(refused))
  const request = (isEncrypted ? httpsRequest : httpRequest)(url, {
    method: body === undefined ? 'GET' : 'POST',
    agent,
    headers: { ...headers, ...(body !== undefined && { 'content-length': `${Buffer.byteLength(body)}` }) },
    lookup: checkedLookup(allowed, isEncrypted, resolve),
    signal: AbortSignal.timeout(timeoutMs),
  })
  return new Promise((settle, reject) => {
    let status: number | undefined
    request.on('error', (error) =>
      status === undefined ? reject(error) : settle({ status, content: undefined }),
    )
    request.once('response', (response) => {
      const answered = (status = response.statusCode ?? 0)
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > limitBytes) request.destroy()
        else parts.push(part)
      })
      response.once('close', () =>
        settle({ status: answered, content: response.complete ? Buffer.concat(parts) : undefined }),
      )
      response.on('error', () => {})
    })
    request.end(body)
  })
}

/** Resolves a name and passes on only the addresses that are allowed. */
function checkedLookup(
  allowed: AllowedAddresses,
  isEncrypted: boolean,
  resolve: typeof lookUp,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0)
      const problems = addresses.map(({ address }) => allowed.problem(address, isEncrypted))
      const usable = addresses.filter((_, index) => problems[index] === undefined)
      const [first] = usable
      // Which address it is would tell the caller about the operator's network.
      if (first === undefined)
        return callback(new Error(problems.includes(NO_TLS) ? NO_TLS : NOT_PUBLIC), '', 0)
      return options.all === true ? callback(null, [...usable]) : callback(null, first.address, first.family)
    })
  }
}

const NOT_PUBLIC = 'its name does not lead to a public address'
const NO_TLS = 'the URL must begin with https://'
const SETTING = 'The operator allows other addresses with KITSEAL_WEBHOOK_ALLOW'

/** Decides to which addresses the service connects on behalf of a workspace. */
export type AllowedAddresses = ReturnType<typeof allowedAddresses>

/** `networks`: addresses and networks that are allowed although they are not public, and without TLS. */
export function allowedAddresses(networks: readonly string[]) {
  const isException = networkRule(networks)
  const problem = (address: string, isEncrypted: boolean): string | undefined => {
    if (isException(address)) return undefined
    if (isPublicAddress(address)) return isEncrypted ? undefined : NO_TLS
    return `${address} is not ${isIP(address) === 0 ? 'an address' : 'a public address'}`
  }
  /** Names can have any address, and only exceptions are without TLS or in a private network. */
  const nameProblem = (name: string, isEncrypted: boolean): string | undefined => {
    if (networks.length > 0) return undefined
    if (!isEncrypted) return NO_TLS
    return name.includes('.') ? undefined : `${name} is not a public name`
  }
  return {
    /** Why an address is refused; undefined if it is allowed. `isEncrypted`: whether the connection uses TLS. */
    problem,
    /** Why a URL can never be reached, whatever its name resolves to; undefined if it can be. */
    urlProblem: ({ hostname, protocol, port }: URL): string | undefined => {
      const host = hostname.replaceAll(/^\[|\]$|\.$/g, '')
      const isEncrypted = protocol === 'https:'
      if (port === '0') return 'there is no port 0'
      if (isIP(host) === 0 && !isName(host)) return `${host} is not a name that can be resolved`
      const addresses = /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : [host]
      const problems = addresses.map((address) =>
        isIP(address) === 0 ? nameProblem(address, isEncrypted) : problem(address, isEncrypted),
      )
      return problems.includes(undefined) ? undefined : `${problems[0]}. ${SETTING}`
    },
  }
}

/** RFC 1035 and RFC 6761. */
const isName = (host: string): boolean =>
  host.length <= 253 &&
  !/(^|\.)invalid$/.test(host) &&
  host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
