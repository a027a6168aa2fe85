import { formatsOf, type Type } from './texts/formats.ts'

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
const TYPES: Readonly<Record<string, Type>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/octet-stream': 'binary',
  'message/rfc822': 'mail',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/tiff': 'tiff',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/plain': 'text',
  [`${OFFICE}.wordprocessingml.document`]: 'word',
  [`${OFFICE}.spreadsheetml.sheet`]: 'excel',
  [`${OFFICE}.presentationml.presentation`]: 'powerpoint',
  [`${OPEN}.text`]: 'odt',
  [`${OPEN}.spreadsheet`]: 'ods',
}

/** A readable name for a media type; unknown ones are returned unchanged. */
export function mediaTypeName(mediaType: string, language: string): string {
  const bare = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const type = Object.hasOwn(TYPES, bare) ? TYPES[bare] : undefined
  if (type !== undefined) return formatsOf(language).types[type]
  return Object.hasOwn(NAMES, bare) ? (NAMES[bare] ?? mediaType) : mediaType
}
