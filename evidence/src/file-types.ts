// docs/decisions/0201
import type { BytesFinder } from './detect/find-bytes.ts'
import { isProgram } from './detect/programs.ts'
import { isPdf, isZip, signature } from './detect/signatures.ts'
import { checkCompoundFile } from './structures/compound-file.ts'
import { checkJpeg, checkPng } from './structures/images.ts'
import { checkPdf } from './structures/pdf.ts'
import { attachmentFinder } from './structures/pdf-attachments.ts'
import type { StructureCheck } from './structures/structure.ts'
import { checkTiff } from './structures/tiff.ts'
import { checkZip } from './structures/zip.ts'
import { DelimitedRows } from './text/delimited-rows.ts'
import { checkHtml } from './text/html.ts'
import { JsonSyntax } from './text/json-syntax.ts'
import { MailCheck } from './text/mail.ts'
import type { StartTextCheck } from './text/text-check.ts'
import { startXmlCheck } from './text/xml-syntax.ts'
import { startYamlCheck } from './text/yaml-syntax.ts'

/** What the first bytes show, without the name. */
export interface ContentFormat {
  readonly content: 'pdf' | 'png' | 'jpeg' | 'tiff' | 'zip' | 'compound' | 'program' | 'text' | 'other'
  readonly detect?: (head: Uint8Array) => boolean
  /** Runs with random access to the whole file. */
  readonly checkStructure?: StructureCheck
  /** Records offsets for `checkStructure` while the file is read. */
  readonly findMarkers?: () => BytesFinder
}

/** Types with the same content are distinguished by what is inside (ZIP) or by the extension (text). */
export interface FileType extends ContentFormat {
  readonly id: string
  readonly title: string
  readonly mediaType: string
  /** File name extensions. */
  readonly endings: readonly string[]
  /** Runs while a text is read. */
  readonly checkText?: StartTextCheck
}

const OOXML = 'application/vnd.openxmlformats-officedocument.'
const ODF = 'application/vnd.oasis.opendocument.'

/** The supported types: how each is recognized, and the function that checks it. */
export const FILE_TYPES = [
  {
    id: 'zip',
    title: 'ZIP archive',
    mediaType: 'application/zip',
    endings: ['zip'],
    content: 'zip',
    detect: isZip,
    checkStructure: checkZip,
  },
  {
    id: 'pdf',
    title: 'PDF',
    mediaType: 'application/pdf',
    endings: ['pdf'],
    content: 'pdf',
    detect: isPdf,
    checkStructure: checkPdf,
    findMarkers: attachmentFinder,
  },
  office('docx', 'Word document', `${OOXML}wordprocessingml.document`),
  office('xlsx', 'Excel workbook', `${OOXML}spreadsheetml.sheet`),
  office('pptx', 'PowerPoint presentation', `${OOXML}presentationml.presentation`),
  office('odt', 'OpenDocument text', `${ODF}text`),
  office('ods', 'OpenDocument spreadsheet', `${ODF}spreadsheet`),
  {
    id: 'png',
    title: 'PNG image',
    mediaType: 'image/png',
    endings: ['png'],
    content: 'png',
    detect: signature('89504e470d0a1a0a'),
    checkStructure: checkPng,
  },
  {
    id: 'jpeg',
    title: 'JPEG image',
    mediaType: 'image/jpeg',
    endings: ['jpg', 'jpeg', 'jpe', 'jfif'],
    content: 'jpeg',
    detect: signature('ffd8ff'),
    checkStructure: checkJpeg,
  },
  {
    id: 'tiff',
    title: 'TIFF image',
    mediaType: 'image/tiff',
    endings: ['tif', 'tiff'],
    content: 'tiff',
    detect: signature('49492a00', '4d4d002a', '49492b00', '4d4d002b'),
    checkStructure: checkTiff,
  },
  text('csv', 'CSV table', 'text/csv', ['csv'], () => new DelimitedRows('csv')),
  text('tsv', 'TSV table', 'text/tab-separated-values', ['tsv', 'tab'], () => new DelimitedRows('tsv')),
  text('txt', 'plain text', 'text/plain', ['txt', 'text', 'sha256', 'sha256sum', 'sha256sums']),
  text('log', 'log', 'text/plain', ['log']),
  text('md', 'Markdown', 'text/markdown', ['md', 'markdown']),
  text('json', 'JSON', 'application/json', ['json'], () => new JsonSyntax('document')),
  text('ndjson', 'JSON Lines', 'application/x-ndjson', ['ndjson', 'jsonl'], () => new JsonSyntax('lines')),
  text('xml', 'XML', 'application/xml', ['xml'], startXmlCheck),
  text('yaml', 'YAML', 'application/yaml', ['yaml', 'yml'], startYamlCheck),
  text('eml', 'e-mail message', 'message/rfc822', ['eml'], () => new MailCheck()),
  text('html', 'HTML page', 'text/html', ['html', 'htm'], () => ({ end: checkHtml })),
] as const satisfies readonly FileType[]

export type TypeId = (typeof FILE_TYPES)[number]['id']

/** Content that is recognized but not accepted. */
const REJECTED: readonly ContentFormat[] = [
  { content: 'program', detect: isProgram },
  { content: 'compound', detect: signature('d0cf11e0a1b11ae1'), checkStructure: checkCompoundFile },
]

const TEXT: ContentFormat = { content: 'text' }

const FORMATS: readonly ContentFormat[] = [...REJECTED, ...FILE_TYPES].filter((row) => 'detect' in row)
const BY_ENDING = new Map<string, FileType>(
  FILE_TYPES.flatMap((type) => type.endings.map((ending) => [ending, type] as const)),
)
const BY_ID = new Map<string, FileType>(FILE_TYPES.map((type) => [type.id, type]))

/** The format of content by its first bytes. `text` is preliminary: later bytes may turn out to be binary. */
export function detectContent(head: Uint8Array): ContentFormat {
  return FORMATS.find(({ detect }) => detect?.(head)) ?? TEXT
}

export function typeOfEnding(ending: string | undefined): FileType | undefined {
  return ending === undefined ? undefined : BY_ENDING.get(ending)
}

export function fileType(id: TypeId): FileType {
  return BY_ID.get(id) as FileType
}

/** An Office file is a ZIP archive; `checkZip` recognizes it by its parts. */
function office<Id extends string>(id: Id, title: string, mediaType: string) {
  return { id, title, mediaType, endings: [id], content: 'zip' } as const
}

function text<Id extends string>(
  id: Id,
  title: string,
  mediaType: string,
  endings: readonly string[],
  checkText?: StartTextCheck,
) {
  return {
    id,
    title,
    mediaType,
    endings,
    content: 'text',
    ...(checkText === undefined ? {} : { checkText }),
  } as const
}
