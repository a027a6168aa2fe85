/** Verifiers compare issuers as text, so there is one spelling: no trailing slash, query or user. */
export function readIssuerUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return value.length > 1000 ? undefined : value.replace(/\/+$/, '')
}

/** An OpenID Connect provider. */
export function readProviderUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname } = new URL(value)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal) ? value : undefined
}

/** Origins as browsers send them, separated by commas. `null` and `*` are none: they would let in any website. */
export function readOrigins(value: string): readonly string[] | undefined {
  const all = value === '' ? [] : value.split(',').map((part) => part.trim())
  return all.every(isOrigin) ? all : undefined
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text
