/** A parsed `Range` header (RFC 9110, section 14). `end` is exclusive. */
export type RequestedRange =
  | { readonly is: 'all' }
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  | { readonly is: 'unsatisfiable' }

/** Supports a single byte range. Anything else returns the whole content, as the RFC allows. */
export function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return { is: 'all' }
  if (first === '') return fromEnd(Number(last), sizeBytes)
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (last !== '' && Number(last) < start) return { is: 'all' }
  return start < sizeBytes ? { is: 'part', start, end } : { is: 'unsatisfiable' }
}

function fromEnd(count: number, sizeBytes: number): RequestedRange {
  if (count === 0 || sizeBytes === 0) return { is: 'unsatisfiable' }
  return { is: 'part', start: Math.max(0, sizeBytes - count), end: sizeBytes }
}

/** Whether `If-None-Match` matches the ETag, by weak comparison (RFC 9110, section 8.8.3.2). */
export function matchesWeakly(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
}

/** Whether `If-Match` fails, by strong comparison: a weak ETag never matches. */
export function failsIfMatch(header: string | undefined, etag: string): boolean {
  return header !== undefined && !header.split(',').some((each) => ['*', etag].includes(each.trim()))
}

/** Whether `If-Range` matches, by strong comparison. A date never matches because none is sent. */
export function matchesIfRange(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}
