const UNITS = ['KB', 'MB', 'GB', 'TB'] as const

/**
 * Formats a size for people, in decimal units.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { formatBytes } from '@kitseal/kit'
 *
 * assert.equal(formatBytes(1_234_567), '1.2 MB')
 * ```
 */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}`
  let value = sizeBytes / 1000
  let unit = 0
  // 999.5 would round to 1000.
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}
