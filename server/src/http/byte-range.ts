/** What a `Range` header asks of `sizeBytes` bytes (RFC 9110, section 14): bytes from `start` up to, not including, `end`. */
export type RangeAsked =
  | { readonly is: 'all' }
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  | { readonly is: 'unsatisfiable' }

/**
 * One range is served; several at once, another unit and what is no range are answered with everything, as the RFC
 * allows: a client that asked for a part can always use the whole.
 */
export function rangeAsked(header: string | undefined, sizeBytes: number): RangeAsked {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return { is: 'all' }
  if (first === '') return fromEnd(Number(last), sizeBytes)
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (last !== '' && Number(last) < start) return { is: 'all' }
  return start < sizeBytes ? { is: 'part', start, end } : { is: 'unsatisfiable' }
}

function fromEnd(count: number, sizeBytes: number): RangeAsked {
  if (count === 0 || sizeBytes === 0) return { is: 'unsatisfiable' }
  return { is: 'part', start: Math.max(0, sizeBytes - count), end: sizeBytes }
}

/** Whether `If-None-Match` names this entity: the weak comparison of RFC 9110, section 8.8.3.2. */
export function namesEntity(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
}

/** Whether `If-Match` asks for another entity: the strong comparison, so that a weak tag names none. */
export function namesOther(header: string | undefined, etag: string): boolean {
  return header !== undefined && !header.split(',').some((each) => ['*', etag].includes(each.trim()))
}

/** `If-Range` holds only for the very same strong validator; a date never holds, as no date is sent. */
export function rangeStillHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}
