import type { DerElement } from './der.ts'
import { TAG } from './der.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

const text = ({ content }: DerElement): string => String.fromCharCode(...content)

/** A GeneralizedTime in milliseconds since 1970, rounded up: UTC, with seconds, optionally with a fraction. */
export function generalizedTime(element: DerElement, what: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d+))?Z$/.exec(text(element))
  if (match === null || element.content.length > 40) timeStampMalformed(`${what} is not a UTC time in DER`)
  // DER has no zeros at the end, but some authorities write them.
  const fraction = (match[7] ?? '').replace(/0+$/, '')
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + (fraction.length > 3 ? 1 : 0)
  return utc(match.slice(1, 7).map(Number), what) + milliseconds
}

/** A time of a certificate (RFC 5280): UTCTime or GeneralizedTime with seconds and without a fraction. */
export function certificateTime(element: DerElement): number {
  const what = 'the validity of a certificate'
  const digits = text(element)
  if (element.tag === TAG.utcTime && /^\d{12}Z$/.test(digits)) {
    const century = Number(digits.slice(0, 2)) < 50 ? '20' : '19'
    return utc(fields(century + digits), what)
  }
  if (element.tag !== TAG.generalizedTime || !/^\d{14}Z$/.test(digits))
    timeStampMalformed(`${what} is not in DER`)
  return utc(fields(digits), what)
}

function fields(digits: string): readonly number[] {
  return [0, 4, 6, 8, 10, 12].map((at) => Number(digits.slice(at, at === 0 ? 4 : at + 2)))
}

function utc(parts: readonly number[], what: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const read = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ]
  return read.join() === parts.join() ? date.getTime() : timeStampMalformed(`${what} is not an existing time`)
}
