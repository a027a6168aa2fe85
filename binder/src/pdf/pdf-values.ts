// PDF syntax for values (ISO 32000-1 section 7.3).

export function dict(entries: Readonly<Record<string, string | number | undefined>>): string {
  let inside = ''
  for (const name of Object.keys(entries)) {
    const value = entries[name]
    if (value !== undefined) inside += `/${name} ${value}`
  }
  return `<<${inside}>>`
}

export const array = (values: readonly (string | number)[]): string => `[${values.join(' ')}]`

const ASCII = /^[ -~]*$/

/** A text string: ASCII as it is, other text as UTF-16. */
export const text = (value: string): string =>
  ASCII.test(value) ? literal(value) : `<feff${utf16Hex(value)}>`

export const utf16Hex = (value: string): string =>
  Buffer.from(value.toWellFormed(), 'utf16le').swap16().toString('hex')

/** A byte string, for addresses. */
export const bytes = (value: string): string =>
  ASCII.test(value) ? literal(value) : `<${Buffer.from(value, 'utf8').toString('hex')}>`

const ESCAPED = /[()\\]/

const literal = (value: string): string =>
  `(${ESCAPED.test(value) ? value.replaceAll(/[()\\]/g, String.raw`\$&`) : value})`

/** At most three decimals, no exponent, no negative zero. */
export function number(value: number): string {
  const rounded = Math.round(value * 1000) / 1000
  return Object.is(rounded, -0) ? '0' : String(rounded)
}

/** With a space behind it. */
export const coordinate = (value: number): string => `${number(value)} `

/** `D:20261115030750Z` */
export const date = (rfc3339: string): string =>
  `(D:${new Date(rfc3339).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z)`
