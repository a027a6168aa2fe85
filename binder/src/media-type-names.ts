const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

const NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF document',
  'application/zip': 'ZIP archive',
  'application/json': 'JSON',
  'application/x-ndjson': 'JSON Lines',
  'application/xml': 'XML',
  'application/yaml': 'YAML',
  'application/octet-stream': 'Binary',
  'message/rfc822': 'E-mail',
  'image/png': 'PNG image',
  'image/jpeg': 'JPEG image',
  'image/tiff': 'TIFF image',
  'text/csv': 'CSV table',
  'text/tab-separated-values': 'TSV table',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'text/html': 'HTML',
  'text/xml': 'XML',
  [`${OFFICE}.wordprocessingml.document`]: 'Word document',
  [`${OFFICE}.spreadsheetml.layout`]: 'Excel workbook',
  [`${OFFICE}.presentationml.presentation`]: 'PowerPoint slides',
  [`${OPEN}.text`]: 'OpenDocument text',
  [`${OPEN}.spreadsheet`]: 'OpenDocument table',
}

/** A readable name for a media type; unknown ones are returned unchanged. */
export function mediaTypeName(mediaType: string): string {
  const bare = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(NAMES, bare) ? (NAMES[bare] ?? mediaType) : mediaType
}
