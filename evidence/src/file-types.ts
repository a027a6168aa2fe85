/** What content is by its bytes, before its name is asked. */
export type Content = 'pdf' | 'png' | 'jpeg' | 'tiff' | 'zip' | 'compound' | 'program' | 'text' | 'other'

export type TypeId =
  | 'zip'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'png'
  | 'jpeg'
  | 'tiff'
  | 'csv'
  | 'tsv'
  | 'txt'
  | 'log'
  | 'md'
  | 'json'
  | 'ndjson'
  | 'xml'
  | 'yaml'
  | 'eml'
  | 'html'

export interface FileType {
  readonly id: TypeId
  readonly title: string
  readonly mediaType: string
  readonly endings: readonly string[]
  readonly content: Content
}

const OOXML = 'application/vnd.openxmlformats-officedocument.'

/** The supported types. Texts are told apart by their ending, and then have to be what it says. */
export const FILE_TYPES: readonly FileType[] = [
  { id: 'zip', title: 'ZIP archive', mediaType: 'application/zip', endings: ['zip'], content: 'zip' },
  { id: 'pdf', title: 'PDF', mediaType: 'application/pdf', endings: ['pdf'], content: 'pdf' },
  {
    id: 'docx',
    title: 'Word document',
    mediaType: `${OOXML}wordprocessingml.document`,
    endings: ['docx'],
    content: 'zip',
  },
  {
    id: 'xlsx',
    title: 'Excel workbook',
    mediaType: `${OOXML}spreadsheetml.sheet`,
    endings: ['xlsx'],
    content: 'zip',
  },
  {
    id: 'pptx',
    title: 'PowerPoint presentation',
    mediaType: `${OOXML}presentationml.presentation`,
    endings: ['pptx'],
    content: 'zip',
  },
  {
    id: 'odt',
    title: 'OpenDocument text',
    mediaType: 'application/vnd.oasis.opendocument.text',
    endings: ['odt'],
    content: 'zip',
  },
  {
    id: 'ods',
    title: 'OpenDocument spreadsheet',
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    endings: ['ods'],
    content: 'zip',
  },
  { id: 'png', title: 'PNG image', mediaType: 'image/png', endings: ['png'], content: 'png' },
  {
    id: 'jpeg',
    title: 'JPEG image',
    mediaType: 'image/jpeg',
    endings: ['jpg', 'jpeg', 'jpe', 'jfif'],
    content: 'jpeg',
  },
  { id: 'tiff', title: 'TIFF image', mediaType: 'image/tiff', endings: ['tif', 'tiff'], content: 'tiff' },
  { id: 'csv', title: 'CSV table', mediaType: 'text/csv', endings: ['csv'], content: 'text' },
  {
    id: 'tsv',
    title: 'TSV table',
    mediaType: 'text/tab-separated-values',
    endings: ['tsv', 'tab'],
    content: 'text',
  },
  {
    id: 'txt',
    title: 'plain text',
    mediaType: 'text/plain',
    endings: ['txt', 'text', 'sha256', 'sha256sum', 'sha256sums'],
    content: 'text',
  },
  { id: 'log', title: 'log', mediaType: 'text/plain', endings: ['log'], content: 'text' },
  {
    id: 'md',
    title: 'Markdown',
    mediaType: 'text/markdown',
    endings: ['md', 'markdown'],
    content: 'text',
  },
  { id: 'json', title: 'JSON', mediaType: 'application/json', endings: ['json'], content: 'text' },
  {
    id: 'ndjson',
    title: 'lines of JSON',
    mediaType: 'application/x-ndjson',
    endings: ['ndjson', 'jsonl'],
    content: 'text',
  },
  { id: 'xml', title: 'XML', mediaType: 'application/xml', endings: ['xml'], content: 'text' },
  { id: 'yaml', title: 'YAML', mediaType: 'application/yaml', endings: ['yaml', 'yml'], content: 'text' },
  { id: 'eml', title: 'e-mail message', mediaType: 'message/rfc822', endings: ['eml'], content: 'text' },
  { id: 'html', title: 'HTML page', mediaType: 'text/html', endings: ['html', 'htm'], content: 'text' },
]

const BY_ENDING = new Map(FILE_TYPES.flatMap((type) => type.endings.map((ending) => [ending, type] as const)))
const BY_ID = new Map(FILE_TYPES.map((type) => [type.id, type]))

export function typeOfEnding(ending: string | undefined): FileType | undefined {
  return ending === undefined ? undefined : BY_ENDING.get(ending)
}

export function fileType(id: TypeId): FileType {
  return BY_ID.get(id) as FileType
}

/**
 * What stands behind the last dot, in lower case. Undefined for README and .gitignore, and where it is a number, a date or
 * words: `syslog.1`, `access.log-20261101`, `Statement of Mr. Smith`.
 */
export function endingOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.lastIndexOf('.') > 0 ? shellEndingOf(name) : undefined
}

/** The same as a system sees it that asks what to do with a file: `.bat` is one of them too. */
export function shellEndingOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  const ending = path.slice(dot + 1).toLowerCase()
  if (dot === -1 || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(ending)) return undefined
  // `library-ms` is an ending, `log-20261101` is a date.
  return ending.split('-').every((part) => /[a-z]/.test(part)) ? ending : undefined
}
