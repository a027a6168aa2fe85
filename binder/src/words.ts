import { formatBytes, type Language, Texts, type Translate, type VerifierKey } from '@kitseal/kit/internal'
import binder, { type BinderKey } from '../../texts/binder.generated.ts'
import verifier from '../../texts/verifier.generated.ts'

/** What a binder says in a language. Numbers and times are not formatted by Intl, whose results depend on the version of Node.js. */
export interface Words {
  readonly language: Language
  readonly t: Translate<BinderKey | VerifierKey>
  /** Every text, for the fonts. */
  readonly all: readonly string[]
}

const made = new Map<Language, Words>()

export function wordsIn(language: Language): Words {
  const known = made.get(language)
  if (known !== undefined) return known
  const texts = { ...verifier['en'], ...binder['en'], ...verifier[language], ...binder[language] }
  const messages = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, plainSpaces(text)]))
  const formatted = new Texts(messages, {
    number: (value) => formatNumber(value, words),
    date: (value) => value.toISOString(),
    plural: (value) => (value === 1 ? 'one' : 'other'),
    list: (parts) => parts.join(messages['binder.listComma']),
  })
  const words: Words = {
    language,
    t: (key, ...args) => formatted.find(key, args[0]) ?? key,
    all: Object.entries(messages).flatMap(([key, text]) => (OWN.test(key) ? [text] : [])),
  }
  made.set(language, words)
  return words
}

const OWN = /^(binder\.|kit\.boundary$)/

/** Spaces that do not break would be shown as hidden characters. */
const plainSpaces = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** 1,234,567 */
export function formatNumber(value: number, { t }: Words): string {
  if (value < Number(t('binder.number.groupedFrom'))) return String(value)
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, t('binder.number.thousands'))
}

/** 1.2 MB (1,234,567 bytes) */
export function formatExactBytes(sizeBytes: number, words: Words): string {
  const { t } = words
  if (sizeBytes < 1000) return t('binder.fewBytes', { count: sizeBytes })
  const byte = t('binder.number.byte')
  const english = formatBytes(sizeBytes).replace('.', t('binder.number.decimal'))
  const size = byte === 'B' ? english : english.replace('K', 'k').replace('B', byte)
  return t('binder.bytes', { size, count: formatNumber(sizeBytes, words) })
}

/** 15 November 2026, 03:07:50 UTC */
export function formatTime(rfc3339: string, { t }: Words): string {
  const at = new Date(rfc3339)
  return t('binder.time', {
    day: at.getUTCDate(),
    month: t(`binder.month.${at.getUTCMonth() + 1}` as 'binder.month.1'),
    year: at.getUTCFullYear(),
    clock: at.toISOString().slice(11, 19),
  })
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

/** Names that are the same in every language. */
const NAMES: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/x-ndjson': 'JSON Lines',
  'application/xml': 'XML',
  'application/yaml': 'YAML',
  'text/markdown': 'Markdown',
  'text/html': 'HTML',
  'text/xml': 'XML',
}
const TYPES: Readonly<Record<string, Extract<BinderKey, `binder.type.${string}`>>> = {
  'application/pdf': 'binder.type.pdf',
  'application/zip': 'binder.type.zip',
  'application/octet-stream': 'binder.type.binary',
  'message/rfc822': 'binder.type.mail',
  'image/png': 'binder.type.png',
  'image/jpeg': 'binder.type.jpeg',
  'image/tiff': 'binder.type.tiff',
  'text/csv': 'binder.type.csv',
  'text/tab-separated-values': 'binder.type.tsv',
  'text/plain': 'binder.type.text',
  [`${OFFICE}.wordprocessingml.document`]: 'binder.type.word',
  [`${OFFICE}.spreadsheetml.sheet`]: 'binder.type.excel',
  [`${OFFICE}.presentationml.presentation`]: 'binder.type.powerpoint',
  [`${OPEN}.text`]: 'binder.type.odt',
  [`${OPEN}.spreadsheet`]: 'binder.type.ods',
}

/** A readable name for a media type; unknown ones are returned unchanged. */
export function mediaTypeName(mediaType: string, { t }: Words): string {
  const bare = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const type = Object.hasOwn(TYPES, bare) ? TYPES[bare] : undefined
  if (type !== undefined) return t(type)
  return Object.hasOwn(NAMES, bare) ? (NAMES[bare] ?? mediaType) : mediaType
}
