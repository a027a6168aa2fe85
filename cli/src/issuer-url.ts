import { isSecure } from './is-unencrypted.ts'

/** The URL of an issuer without a trailing slash, or undefined if keys cannot be fetched from it securely. */
export function issuerUrl(text: string): string | undefined {
  if (!isSecure(text)) return undefined
  const { search, hash, username, password } = new URL(text)
  return search + hash + username + password === '' ? text.replace(/\/+$/, '') : undefined
}
