import { isIP } from 'node:net'

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
