import { isIP } from 'node:net'

/** Where the console is, as browsers see it. */
export interface ConsolePlace {
  /** `https://kits.example/console`, without a slash at its end. */
  readonly url: string
  /** Pages of these origins, and of no other, may change anything. */
  readonly origins: readonly string[]
  /** Whom passkeys are made for; undefined where the host is an IP address, which can't have any. */
  readonly passkeyDomain: string | undefined
  readonly isHttps: boolean
  /** Hosts by which the service is reached, and passkeys are not: their pages are asked for by `url` instead. */
  readonly otherHosts: ReadonlySet<string>
}

const LOOPBACK = ['127.0.0.1', '[::1]', '0.0.0.0', '[::]']

/** A passkey belongs to a domain, and an IP address is none: on this machine alone, the console is at `localhost`. */
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

/** A link that lets whoever has it in once. The token is in the fragment, which browsers send to nobody. */
export const invitationLink = (place: Pick<ConsolePlace, 'url'>, token: string): string =>
  `${place.url}/invite#${token}`
