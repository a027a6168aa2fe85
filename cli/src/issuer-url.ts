/** The URL of an issuer without a trailing slash, or undefined if keys cannot be fetched from it securely. */
export function issuerUrl(text: string): string | undefined {
  if (!isSecure(text)) return undefined
  const { search, hash, username, password } = new URL(text)
  return search + hash + username + password === '' ? text.replace(/\/+$/, '') : undefined
}

/** Whether requests to this URL can be read on the network. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** An https URL, or an http URL on this machine. */
export function isSecure(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !isUnencrypted(text)
}
