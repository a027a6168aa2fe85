import type { Language } from './languages.ts'

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a size for people, in decimal units. */
export function formatBytes(sizeBytes: number, language: Language = 'en'): string {
  if (sizeBytes < 1000) return formatUnit(sizeBytes, 'byte', language)
  let value = sizeBytes / 1000
  let unit = 0
  // 999.5 would round to 1000.
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000
  return formatUnit(value, UNITS[unit] ?? 'byte', language, value < 99.95 ? 1 : 0)
}

/** Making one takes longer than a line of a binder. There are as many as languages and units. */
const formats = new Map<string, Intl.NumberFormat>()

function formatUnit(value: number, unit: string, language: Language, digits = 0): string {
  const name = `${language} ${unit} ${digits}`
  const format = formats.get(name) ?? newFormat(unit, language, digits)
  formats.set(name, format)
  return format.format(value).replace('kB', 'KB')
}

function newFormat(unit: string, language: Language, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  })
}
