import { escapeHidden, formatBytes, INVISIBLE } from '@kitseal/kit/internal'
import { language } from './language.ts'

const MIB = 1024 * 1024

const NUMBER = new Intl.NumberFormat(language)

export const numberText = (value: number): string => NUMBER.format(value)

/** "1.2 MB". */
export const sizeText = (bytes: number): string => formatBytes(bytes, language)

/** A limit in binary units, rounded down: 104,857,600 bytes is 100 MB. */
export function limitText(bytes: number): string {
  if (bytes < MIB) return sizeText(Math.max(0, bytes))
  const isWholeGiB = bytes % (MIB * 1024) === 0
  const unit = isWholeGiB ? 'gigabyte' : 'megabyte'
  const value = isWholeGiB ? bytes / MIB / 1024 : Math.floor((bytes / MIB) * 10) / 10
  return new Intl.NumberFormat(language, { style: 'unit', unit, useGrouping: false }).format(value)
}

/** In UTC: `2026-03-04 05:06:07 UTC`. */
export function instantText(instant: string | Date): string {
  const iso = typeof instant === 'string' ? instant : instant.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

const DIRECTION = new RegExp(`[${INVISIBLE.direction}]`, 'g')

/** Escapes bidirectional control characters, which could make `gpj.exe` look like `exe.jpg`. */
export const nameText = (name: string): string => name.replaceAll(DIRECTION, escapeHidden)

export const dayText = (instant: string): string => instant.slice(0, 10)

const STEPS = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
] as const

const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

/** "3 minutes ago". Never in the future, even if the clocks differ. Undefined if it is more than a month ago. */
export const agoText = (instant: string, now: number): string | undefined =>
  relativeText(new Date(Math.min(now, Date.parse(instant))).toISOString(), now)

/** "in 3 days" or "3 days ago". Undefined if it is more than a month away. */
export function relativeText(instant: string, now: number): string | undefined {
  let amount = (Date.parse(instant) - now) / 1000
  for (const [size, unit] of STEPS) {
    if (Math.abs(amount) < size) return RELATIVE.format(Math.round(amount), unit)
    amount /= size
  }
  return undefined
}

/** With a capital letter and a full stop. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
