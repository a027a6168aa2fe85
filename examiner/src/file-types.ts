import { detailOf } from './rules.ts'
import { groupBy, type Reason } from '@kitseal/kit/internal'
import { isProgram } from './detect/programs.ts'
import { isPdf, isZip, signature } from './detect/signatures.ts'
import { hasControls } from './detect/text-encoding.ts'
import { checkCompoundFile } from './structures/compound-file.ts'
import { checkJpeg, checkPng, checkTiff, checkWebp, headerOf } from './structures/images.ts'
import { checkGzip } from './structures/gzip.ts'
import { checkPdf } from './structures/pdf.ts'
import { broken, type StructureCheck } from './structures/structure.ts'
import { checkTar, isTar } from './structures/tar.ts'
import { checkZip } from './structures/zip.ts'
import { startHtmlCheck, startSvgCheck, startXmlCheck } from './text/active-xml.ts'
import { MailCheck } from './text/mail.ts'
import { isRtf, RtfCheck } from './text/rtf.ts'
import type { StartTextCheck } from './text/text-check.ts'
import type { ContentFormat, FileType } from './types/file-type.ts'
import rows from './types/types.json' with { type: 'json' }

export type { ContentFormat, FileType } from './types/file-type.ts'

/** What may contain other files, and is only searched for programs. */
const notTakenApart =
  (detail: Reason): StructureCheck =>
  async () =>
    broken('partly_examined', detail)

/** How types with a check of their own are recognized and checked. */
const CHECKS: Readonly<Record<string, Partial<FileType>>> = {
  zip: { detect: isZip, checkStructure: checkZip },
  pdf: { detect: isPdf, checkStructure: checkPdf },
  png: { detect: signature('89504e470d0a1a0a'), checkStructure: checkPng },
  jpeg: { detect: signature('ffd8ff'), checkStructure: checkJpeg },
  tiff: { detect: signature('49492a00', '4d4d002a', '49492b00', '4d4d002b'), checkStructure: checkTiff },
  gif: { checkStructure: headerOf(13) },
  webp: { checkStructure: checkWebp },
  heic: { checkStructure: headerOf(32) },
  avif: { checkStructure: headerOf(32) },
  gz: { detect: signature('1f8b'), checkStructure: checkGzip },
  tar: { detect: isTar, checkStructure: checkTar },
  compound: { detect: signature('d0cf11e0a1b11ae1'), checkStructure: checkCompoundFile },
  rtf: { detect: isRtf },
  onenote: { checkStructure: notTakenApart(detailOf('detail.filesNotOpened')) },
  mso: { checkStructure: async () => broken('macros', detailOf('detail.msoMacros')) },
  tnef: { checkStructure: notTakenApart(detailOf('detail.attachmentsNotOpened')) },
  pkcs7: { detect: isPkcs7, checkStructure: notTakenApart(detailOf('detail.signedNotOpened')) },
}

/** How texts are read. */
const READERS: Readonly<Record<string, StartTextCheck>> = {
  xml: startXmlCheck,
  svg: startSvgCheck,
  html: startHtmlCheck,
  mail: () => new MailCheck(),
  rtf: () => new RtfCheck(),
}

/** The object IDs of PKCS#7 (1.2.840.113549.1.7) and of S/MIME (1.2.840.113549.1.9.16.1), without the last number. */
const PKCS7_IDS = [
  [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07],
  [0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01],
]

/** A sequence that starts with an object ID of PKCS#7 or S/MIME. */
function isPkcs7(head: Uint8Array): boolean {
  const [tag, first = 0] = head
  const at = first <= 0x80 ? 2 : 2 + (first & 0x7f)
  return tag === 0x30 && PKCS7_IDS.some((id) => id.every((byte, index) => head[at + index] === byte))
}

/** A row of types.json. Signatures are in hex, each `OFFSET:HEX` or `HEX`. */
interface TypeRow extends Omit<FileType, 'endings'> {
  readonly endings: string
  readonly reader?: string
  readonly signatures?: string
}

/** Every type that the service can name. */
export const FILE_TYPES: readonly FileType[] = (rows as readonly TypeRow[]).map(typeOf)

function typeOf({ endings, reader = '', signatures, ...row }: TypeRow): FileType {
  const checkText = READERS[reader]
  return {
    ...row,
    endings: endings.split(' ').filter(Boolean),
    ...(signatures === undefined ? {} : { detect: signature(...signatures.split(' ')) }),
    ...(checkText === undefined ? {} : { checkText }),
    ...CHECKS[row.id],
  }
}

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
/** A file whose content and extension name no type. */
const OTHER = FILE_TYPES.at(-1) as FileType

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
