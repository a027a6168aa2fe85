/** For API responses: not executable, not framed, not sniffed, not cached. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** For public data: any website may read it. */
export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** For pages without scripts. */
export const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
} as const

/** For the built pages: scripts, styles, workers and frames from this service alone. */
export const BUILT_PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const

/** For the documentation, which has a search form. */
export const DOCS_HEADERS = {
  ...BUILT_PAGE_HEADERS,
  'content-security-policy': BUILT_PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
} as const

const ONE_YEAR_SECONDS = 31_536_000

/** Adds HSTS if the issuer is an https URL. */
export function headersOf(issuer: string | undefined): Readonly<Record<string, string>> {
  if (issuer?.startsWith('https:') !== true) return SECURITY_HEADERS
  return { ...SECURITY_HEADERS, 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` }
}
