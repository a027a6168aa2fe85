import { formatBytes } from '@kitseal/kit'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** 1,234,567 */
export const formatNumber = (value: number): string =>
  value < 1000 ? String(value) : String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')

export const count = (value: number, noun: string): string =>
  `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`

/** 1.2 MB (1,234,567 bytes) */
export const formatExactBytes = (sizeBytes: number): string =>
  sizeBytes < 1000 ? formatBytes(sizeBytes) : `${formatBytes(sizeBytes)} (${formatNumber(sizeBytes)} bytes)`

/** 15 November 2026, 03:07:50 UTC */
export function formatTime(rfc3339: string): string {
  const time = new Date(rfc3339)
  const clock = time.toISOString().slice(11, 19)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`
}
