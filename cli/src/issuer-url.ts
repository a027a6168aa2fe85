/** The URL of an issuer without a trailing slash, or undefined if keys cannot be fetched from it securely. */
export function issuerUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, search, hash, username, password } = new URL(text)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) return undefined
  return search + hash + username + password === '' ? text.replace(/\/+$/, '') : undefined
}
