import type { ConsolePlace } from './console-place.ts'

/** A cookie that only the service reads, and that no other site makes a browser send. */
export interface Cookie {
  readonly name: string
  /** As a Set-Cookie header field. */
  set(value: string, livesSeconds: number): string
  clear(): string
  read(header: string | undefined): string | undefined
}

/** Where the console is on https, the name itself promises that the cookie was set by this host, over https. */
export function cookie(place: ConsolePlace, name: string, sameSite: 'Strict' | 'Lax'): Cookie {
  const whole = place.isHttps ? `__Host-${name}` : name
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${place.isHttps ? '; Secure' : ''}`
  const found = new RegExp(`(?:^|;)\\s*${whole}=([^;\\s]*)`)
  return {
    name: whole,
    set: (value, livesSeconds) => `${whole}=${value}; Max-Age=${livesSeconds}; ${attributes}`,
    clear: () => `${whole}=; Max-Age=0; ${attributes}`,
    read: (header) => (header === undefined ? undefined : found.exec(header)?.[1]),
  }
}

/** Never sent with a request that another site began. The pages themselves need none, so that links to them work. */
export const sessionCookie = (place: ConsolePlace): Cookie => cookie(place, 'kitseal-console', 'Strict')

/** Comes back from the provider's site, by a link: lax. */
export const oidcCookie = (place: ConsolePlace): Cookie => cookie(place, 'kitseal-oidc', 'Lax')
