import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'

/** The public address of the console. */
export interface ConsolePlace {
  /** `https://kits.example/console`, without a trailing slash. */
  readonly url: string
  /** Only pages of these origins may send changes. */
  readonly origins: readonly string[]
  /** The WebAuthn relying party ID. Undefined if the host is an IP address, which cannot have passkeys. */
  readonly passkeyDomain: string | undefined
  readonly isHttps: boolean
  /** Hosts where passkeys do not work. Their pages redirect to `url`. */
  readonly otherHosts: ReadonlySet<string>
}

const LOOPBACK = ['127.0.0.1', '[::1]', '0.0.0.0', '[::]']

/** Passkeys need a domain name, so a loopback address becomes `localhost`. */
export function consolePlace(issuer: string): ConsolePlace {
  const url = new URL(issuer)
  const isLoopback = LOOPBACK.includes(url.hostname)
  const port = url.port === '' ? '' : `:${url.port}`
  if (isLoopback) url.hostname = 'localhost'
  const isLocal = url.hostname === 'localhost'
  const otherHosts = isLocal ? LOOPBACK.map((host) => host + port) : []
  const isDomain = isIP(url.hostname.replaceAll(/[[\]]/g, '')) === 0
  return {
    url: `${url.href.replace(/\/+$/, '')}/console`,
    origins: [url.origin, ...otherHosts.map((host) => `${url.protocol}//${host}`)],
    passkeyDomain: isDomain ? url.hostname : undefined,
    isHttps: url.protocol === 'https:',
    otherHosts: new Set(otherHosts),
  }
}

/** The token is in the fragment, which browsers do not send. */
export const invitationLink = (place: Pick<ConsolePlace, 'url'>, token: string): string =>
  `${place.url}/invite#${token}`

/** The value of a cookie in the header of a request. */
export const readCookie = (header: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*${name}=([^;\\s]*)`).exec(header ?? '')?.[1]

/** With https, the `__Host-` prefix guarantees that this host set the cookie. */
function cookie(place: ConsolePlace, shortName: string, sameSite: 'Strict' | 'Lax') {
  const name = place.isHttps ? `__Host-${shortName}` : shortName
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${place.isHttps ? '; Secure' : ''}`
  return {
    name,
    /** Returns a Set-Cookie header. */
    set: (value: string, livesSeconds: number): string =>
      `${name}=${value}; Max-Age=${livesSeconds}; ${attributes}`,
    clear: (): string => `${name}=; Max-Age=0; ${attributes}`,
    read: (header: string | undefined): string | undefined => readCookie(header, name),
  }
}

/** Strict works because the pages themselves do not need the cookie. */
export const sessionCookie = (place: ConsolePlace) => cookie(place, 'kitseal-console', 'Strict')

/** Lax, because the provider redirects back. */
export const oidcCookie = (place: ConsolePlace) => cookie(place, 'kitseal-oidc', 'Lax')

/** Other sites cannot send this header, because it requires a CORS preflight. */
const CONSOLE_HEADER = 'x-console-request'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafe = ({ method }: Pick<FastifyRequest, 'method'>): boolean => SAFE.has(method)

/** Whether a request for reading comes from a page of this service, a typed address or a program. */
export function isSameOrigin({ headers }: FastifyRequest, { origins }: ConsolePlace): boolean {
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  return (origin === undefined || origins.includes(origin)) && (site === 'same-origin' || site === 'none')
}

/** CSRF protection: changes need a matching Origin and Sec-Fetch-Site, and a custom header. The cookie is SameSite=Strict too. */
export function rejectOtherSites(request: FastifyRequest, { origins }: ConsolePlace): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (isSafe(request)) return
  const { origin } = headers
  const isOwn =
    origin !== undefined && origins.includes(origin) && (site === undefined || site === 'same-origin')
  if (isOwn && headers[CONSOLE_HEADER] === '1') return
  throw new Refusal(
    'cross_site_refused',
    'The request was not sent by a page of this console. Nothing was changed.',
  )
}
