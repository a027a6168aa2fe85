import { formatBytes } from '@kitseal/kit/internal'
import type { BinderTexts } from './texts/en.ts'
import { formatsOf } from './texts/formats.ts'
import type { Words } from './texts/index.ts'

/** Replaces `{name}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** 1,234,567 */
export function formatNumber(value: number, language = 'en'): string {
  const { thousands, from = 1000 } = formatsOf(language)
  return value < from ? String(value) : String(value).replaceAll(/\B(?=(\d{3})+$)/g, thousands)
}

/** `2 files`, by a text with `{count}`. */
export const counted = (
  value: number,
  { one, other }: BinderTexts['files'],
  language = 'en',
  values: Readonly<Record<string, string>> = {},
): string => fill(value === 1 ? one : other, { ...values, count: formatNumber(value, language) })

/** 2 files, 24 bytes */
export const formatList = (parts: readonly string[], language = 'en'): string =>
  parts.join(formatsOf(language).comma ?? ', ')

/** 1.2 MB (1,234,567 bytes) */
export function formatExactBytes(sizeBytes: number, { binder, language }: Words): string {
  if (sizeBytes < 1000) return counted(sizeBytes, binder.fewBytes, language)
  const { decimal, byte } = formatsOf(language)
  const english = formatBytes(sizeBytes).replace('.', decimal)
  const size = byte === undefined ? english : english.replace('K', 'k').replace('B', byte)
  return fill(binder.bytes, { size, count: formatNumber(sizeBytes, language) })
}

/** 15 November 2026, 03:07:50 UTC */
export function formatTime(rfc3339: string, language = 'en'): string {
  const { time, months } = formatsOf(language)
  const at = new Date(rfc3339)
  return fill(time, {
    day: String(at.getUTCDate()),
    month: months.split(' ')[at.getUTCMonth()] ?? '',
    year: String(at.getUTCFullYear()),
    clock: at.toISOString().slice(11, 19),
  })
}
