import type { ConsolePlace } from './console-place.ts'

export type Cookie = ReturnType<typeof cookie>

/** With https, the `__Host-` prefix guarantees that this host set the cookie. */
export function cookie(place: ConsolePlace, name: string, sameSite: 'Strict' | 'Lax') {
  const fullName = place.isHttps ? `__Host-${name}` : name
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${place.isHttps ? '; Secure' : ''}`
  const found = new RegExp(`(?:^|;)\\s*${fullName}=([^;\\s]*)`)
  return {
    name: fullName,
    /** Returns a Set-Cookie header. */
    set: (value: string, livesSeconds: number): string =>
      `${fullName}=${value}; Max-Age=${livesSeconds}; ${attributes}`,
    clear: (): string => `${fullName}=; Max-Age=0; ${attributes}`,
    read: (header: string | undefined): string | undefined =>
      header === undefined ? undefined : found.exec(header)?.[1],
  }
}

/** Strict works because the pages themselves do not need the cookie. */
export const sessionCookie = (place: ConsolePlace): Cookie => cookie(place, 'kitseal-console', 'Strict')

/** Lax, because the provider redirects back. */
export const oidcCookie = (place: ConsolePlace): Cookie => cookie(place, 'kitseal-oidc', 'Lax')
