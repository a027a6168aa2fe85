import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { Agent, type ClientRequestArgs, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createHmac, randomBytes } from 'node:crypto'
import type { Signer } from '../keys/signer.ts'
import { isPublicAddress, networkRule } from '../http/addresses.ts'

interface Posted {
  /** Undefined if there was no response. */
  readonly status: number | undefined
  /** Undefined if it was delivered. */
  readonly problem: string | undefined
}

export type PostWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<Posted>

interface PostOptions {
  readonly allowed: AllowedAddresses
  readonly timeoutMs?: number
  /** Resolves names; for tests. */
  readonly resolve?: typeof lookUp
}

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 16 * 1024
const IDLE_MS = 10_000

/**
 * Posts to a receiver that nobody trusts. The address is checked where the connection is made, so a name that resolves to
 * another address the next time gains nothing. Redirects are not followed.
 */
export function postWebhooks({
  allowed,
  timeoutMs = TIMEOUT_MS,
  resolve = lookUp,
}: PostOptions): PostWebhook {
  const agents = {
    'http:': new Agent({ keepAlive: true, timeout: IDLE_MS }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
  }
  return async (text, headers, body) => {
    const url = new URL(text)
    const isEncrypted = url.protocol === 'https:'
    const host = url.hostname.replaceAll(/[[\]]/g, '')
    const refused = isIP(host) === 0 ? undefined : allowed.problem(host, isEncrypted)
    if (refused !== undefined) return { status: undefined, problem: refused }
    const options: ClientRequestArgs = {
      method: 'POST',
      agent: agents[isEncrypted ? 'https:' : 'http:'],
      headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
      lookup: checkedLookup(allowed, isEncrypted, resolve),
      signal: AbortSignal.timeout(timeoutMs),
    }
    return exchange(isEncrypted ? httpsRequest(url, options) : httpRequest(url, options), body)
  }
}

function exchange(request: ReturnType<typeof httpRequest>, body: string): Promise<Posted> {
  return new Promise((settle) => {
    let answered: Posted | undefined
    request.on('error', (error) => settle(answered ?? { status: undefined, problem: problemOf(error) }))
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      const isDelivered = status >= 200 && status < 300
      const posted = { status, problem: isDelivered ? undefined : statusProblem(status) }
      answered = posted
      discard(request, response, () => settle(posted))
    })
    request.end(body)
  })
}

/** The answer does not matter. A small one is read, so that the connection can be used again. */
function discard(request: ReturnType<typeof httpRequest>, response: IncomingMessage, done: () => void): void {
  let bytes = 0
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES) request.destroy()
  })
  response.once('close', done)
  response.on('error', () => {})
}

const statusProblem = (status: number): string =>
  status >= 300 && status < 400
    ? `the receiver returned ${status}, a redirect. Redirects are not followed.`
    : `the receiver returned ${status}`

function problemOf(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return 'the receiver did not answer in time'
  // Errors of a connection name the address, which a name may have only inside the operator's network.
  const { code, syscall } = error as NodeJS.ErrnoException
  const text = syscall === 'connect' || error instanceof AggregateError ? String(code) : error.message
  return `the receiver cannot be reached: ${text.replaceAll(/[^ -~]+/g, ' ')}`
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
      const usable = addresses.filter(({ address }) => allowed.problem(address, isEncrypted) === undefined)
      const [first] = usable
      if (first === undefined) {
        // Which address it is would tell the caller about the operator's network.
        const isPublic = addresses.some(({ address }) => allowed.problem(address, true) === undefined)
        const problem = isPublic ? NO_TLS : 'its name does not lead to a public address'
        return callback(new Error(problem), '', 0)
      }
      return options.all === true ? callback(null, [...usable]) : callback(null, first.address, first.family)
    })
  }
}

const PREFIX = 'whsec_'

/** A secret of 256 bits, as Standard Webhooks writes it. */
export const makeWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

interface SignedWebhook {
  readonly id: string
  readonly timestampMs: number
  readonly body: string
}

/** The headers of Standard Webhooks: HMAC with each valid secret (`v1`), and Ed25519 (`v1a`). */
export async function webhookHeaders(
  { id, timestampMs, body }: SignedWebhook,
  secrets: readonly string[],
  signer: Signer,
): Promise<Readonly<Record<string, string>>> {
  const seconds = Math.floor(timestampMs / 1000)
  const signed = `${id}.${seconds}.${body}`
  const ed25519 = Buffer.from(await signer.sign(Buffer.from(signed))).toString('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'kitseal-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': [...secrets.map((each) => `v1,${hmac(each, signed)}`), `v1a,${ed25519}`].join(' '),
  }
}

const hmac = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(signed)
    .digest('base64')

/** Decides to which addresses the service connects on behalf of a workspace. */
type AllowedAddresses = ReturnType<typeof allowedAddresses>

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

const NO_TLS = 'the URL must begin with https://'
const SETTING = 'The operator allows other addresses with KITSEAL_WEBHOOK_ALLOW'

/** RFC 1035 and RFC 6761. */
const isName = (host: string): boolean =>
  host.length <= 253 &&
  !/(^|\.)invalid$/.test(host) &&
  host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
