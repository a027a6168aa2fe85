import { groupBy } from '@kitseal/kit/internal'
import { isProgram } from './detect/programs.ts'
import { isPdf, isZip, signature } from './detect/signatures.ts'
import { hasControls } from './detect/text-encoding.ts'
import { checkCompoundFile } from './structures/compound-file.ts'
import { checkJpeg, checkPng, checkTiff } from './structures/images.ts'
import { checkGzip } from './structures/gzip.ts'
import { checkPdf } from './structures/pdf.ts'
import { checkTar, isTar } from './structures/tar.ts'
import { checkZip } from './structures/zip.ts'
import { startHtmlCheck, startSvgCheck, startXmlCheck } from './text/active-xml.ts'
import { MailCheck } from './text/mail.ts'
import { isRtf, RtfCheck } from './text/rtf.ts'
import type { StartTextCheck } from './text/text-check.ts'
import type { ContentFormat, FileType } from './types/file-type.ts'
import { NAMED_BINARY_TYPES, NAMED_TEXT_TYPES, PACKAGES } from './types/read-named-types.ts'

export type { ContentFormat, FileType } from './types/file-type.ts'

const OOXML = 'application/vnd.openxmlformats-officedocument.'
const ODF = 'application/vnd.oasis.opendocument.'

/** Types with a check of their own: how each is recognized, and the function that checks it. */
const EXAMINED: readonly FileType[] = [
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
  {
    id: 'gz',
    title: 'gzip file',
    mediaType: 'application/gzip',
    endings: ['gz', 'tgz', 'svgz', 'emz'],
    content: 'binary',
    detect: signature('1f8b'),
    checkStructure: checkGzip,
  },
  {
    id: 'tar',
    title: 'tar archive',
    mediaType: 'application/x-tar',
    endings: ['tar'],
    content: 'binary',
    detect: isTar,
    checkStructure: checkTar,
  },
  compound('doc', 'Word 97-2003 document', 'application/msword', ['doc', 'dot']),
  compound('xls', 'Excel 97-2003 workbook', 'application/vnd.ms-excel', ['xls', 'xlt', 'xla']),
  compound('ppt', 'PowerPoint 97-2003 presentation', 'application/vnd.ms-powerpoint', ['ppt', 'pot', 'pps']),
  compound('msg', 'Outlook message', 'application/vnd.ms-outlook', ['msg', 'oft']),
  compound('vsd', 'old Visio, Project or Publisher file', 'application/vnd.visio', [
    'vsd',
    'vst',
    'mpp',
    'pub',
  ]),
  {
    ...compound('compound', 'Microsoft Compound File', 'application/x-cfb', []),
    detect: signature('d0cf11e0a1b11ae1'),
    checkStructure: checkCompoundFile,
  },
  {
    ...text('rtf', 'RTF document', 'application/rtf', ['rtf'], () => new RtfCheck()),
    detect: isRtf,
  },
  text('svg', 'SVG image', 'image/svg+xml', ['svg'], startSvgCheck),
  text('csv', 'CSV table', 'text/csv', ['csv']),
  text('tsv', 'TSV table', 'text/tab-separated-values', ['tsv', 'tab']),
  text('txt', 'plain text', 'text/plain', ['txt', 'text', 'sha256', 'sha256sum', 'sha256sums']),
  text('log', 'log', 'text/plain', ['log']),
  text('md', 'Markdown', 'text/markdown', ['md', 'markdown']),
  text('json', 'JSON', 'application/json', ['json']),
  text('ndjson', 'JSON Lines', 'application/x-ndjson', ['ndjson', 'jsonl']),
  text('xml', 'XML', 'application/xml', ['xml'], startXmlCheck),
  text('yaml', 'YAML', 'application/yaml', ['yaml', 'yml']),
  text('eml', 'e-mail message', 'message/rfc822', ['eml', 'nws', 'mim'], () => new MailCheck()),
  text('html', 'HTML page', 'text/html', ['html', 'htm', 'shtml', 'shtm', 'xht', 'xhtml'], startHtmlCheck),
]

/** A file whose content and extension name no type. */
const OTHER: FileType = {
  id: 'other',
  title: 'file of another type',
  mediaType: 'application/octet-stream',
  endings: [],
  content: 'binary',
}

/** Every type that the service can name. */
export const FILE_TYPES: readonly FileType[] = [
  ...EXAMINED,
  ...NAMED_TEXT_TYPES,
  ...PACKAGES,
  ...NAMED_BINARY_TYPES,
  OTHER,
]

export type TypeId = string

/** Checked first: content that must not be taken for anything else. */
const PROGRAM: ContentFormat = { content: 'program', detect: isProgram }
/** Text of no type that is known by its content. */
export const TEXT: ContentFormat = { content: 'text' }

const FORMATS: readonly ContentFormat[] = [PROGRAM, ...FILE_TYPES].filter((row) => 'detect' in row)
const BY_ENDING = groupBy(
  FILE_TYPES.flatMap((type) => type.endings.map((ending) => ({ ending, type }))),
  ({ ending }) => ending,
)
const BY_ID = new Map<string, FileType>(FILE_TYPES.map((type) => [type.id, type]))

/** The format of content by its first bytes. `text` is preliminary: later bytes may turn out to be binary. */
export function detectContent(head: Uint8Array): ContentFormat {
  const found = FORMATS.find(({ detect }) => detect?.(head))
  if (found === undefined) return TEXT
  // Letters such as "PAGE" or "ID3" also start texts.
  return found.content === 'binary' && !hasControls(head) ? TEXT : found
}

/** Disk images, captures, dumps and packages hold programs as a matter of course; archives that are opened show their own. */
const NOT_SEARCHED = new Set(
  'zip gz tar iso vmdk pcap pcapng evtx evt etl hive prefetch journal minidump cab cpio arj 7z rar bz2 xz zst lz4 lzip compress git npz bagit nupkg'.split(
    ' ',
  ),
)

/** Whether programs are searched for at any offset. */
export function isSearched(format: ContentFormat, named: FileType | undefined): boolean {
  if (format.content === 'zip') return false
  if ('id' in format) return !NOT_SEARCHED.has((format as FileType).id)
  return format.content !== 'binary' || named === undefined || !NOT_SEARCHED.has(named.id)
}

/** The types that an extension stands for. There can be several: `.key` is a key or a Keynote document. */
export function typesOfEnding(ending: string | undefined): readonly FileType[] {
  return (ending === undefined ? undefined : BY_ENDING.get(ending))?.map(({ type }) => type) ?? []
}

export function typeOfEnding(ending: string | undefined): FileType | undefined {
  return typesOfEnding(ending)[0]
}

export function fileType(id: TypeId): FileType {
  return BY_ID.get(id) ?? OTHER
}

/** An Office file is a ZIP archive; `checkZip` recognizes it by its parts. */
function office(id: string, title: string, mediaType: string): FileType {
  return { id, title, mediaType, endings: [id], content: 'zip' }
}

/** `checkCompoundFile` recognizes it by the names of its streams. */
function compound(id: string, title: string, mediaType: string, endings: readonly string[]): FileType {
  return { id, title, mediaType, endings, content: 'compound' }
}

function text(
  id: string,
  title: string,
  mediaType: string,
  endings: readonly string[],
  checkText?: StartTextCheck,
): FileType {
  return {
    id,
    title,
    mediaType,
    endings,
    content: 'text',
    ...(checkText === undefined ? {} : { checkText }),
  }
}
