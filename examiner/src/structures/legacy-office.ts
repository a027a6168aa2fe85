import { bytesAt, chunks, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { BytesFinder } from '../search/find-bytes.ts'
import type { CompoundDirectory, CompoundEntry } from './compound-directory.ts'

const GLOBALS_BYTES = 4 * 1024 * 1024
const [BOUND_SHEET, FILE_PASS, END_OF_GLOBALS, LINKED_FILE] = [0x85, 0x2f, 0x0a, 0x1ae]
const [MACRO_SHEET, VBA_MODULE] = [1, 6]

/** Reads the records before the first sheet ([MS-XLS]): Excel 4.0 macro sheets, encryption and links. */
export async function checkWorkbook({ entries, readStart }: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries.filter(({ name }) => /^(?:work)?book$/i.test(name))) {
    const bytes = await readStart(entry, GLOBALS_BYTES)
    const view = viewOf(bytes)
    for (let at = 0; at + 4 <= bytes.length; at += 4 + view.getUint16(at + 2, true)) {
      const type = view.getUint16(at, true)
      if (type === END_OF_GLOBALS) break
      // The records after it are encrypted.
      if (type === FILE_PASS) {
        findings.push({ code: 'encrypted_office', detail: 'it has a password' })
        break
      }
      const data = bytes.subarray(at + 4, at + 4 + view.getUint16(at + 2, true))
      if (type === BOUND_SHEET && (data[5] === MACRO_SHEET || data[5] === VBA_MODULE))
        findings.push({ code: 'macros', detail: 'it contains an Excel 4.0 macro sheet' })
      if (type === LINKED_FILE) findings.push(...checkLink(data))
    }
  }
  return findings
}

/** A number of sheets, the length of a path and the path, in which 3 separates the program and the topic of DDE. */
function checkLink(data: Uint8Array): readonly Finding[] {
  const path = plainText(data.subarray(4))
  if (data[3] === 0x04 || data[3] === 0x3a) return []
  if (path.includes('\x03') && data[0] === 0 && data[1] === 0)
    return [{ code: 'active_content', detail: 'it links to another program (DDE or OLE)' }]
  return /https?:|ftp:|\\\\/i.test(path)
    ? [{ code: 'active_content', detail: 'it links to a file on another computer' }]
    : []
}

const WORD_BYTES = 32 * 1024 * 1024
/** Where a field starts in a document. */
const FIELD = '\u0013'
const DDE_FIELD = new RegExp(String.raw`${FIELD}\s{0,50}DDE(?:AUTO)?[\s"\\]`, 'i')
const FETCHING_FIELD = new RegExp(
  String.raw`${FIELD}\s{0,50}(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^${FIELD}]{0,300}?(?:https?:|ftp:|file:|\\\\\\\\)`,
  'i',
)
const REMOTE_TEMPLATE = /(?:https?:\/\/|\\\\)[^"<>\p{Cc}]{1,300}\.(?:dot[mx]?|doc[mx]?|rtf|wbk)/iu

/** Searches a Word document for fields that run or fetch something, and for a template on another computer. */
export async function checkWordStreams({
  entries,
  readStart,
}: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries) {
    const isText = /^WordDocument$/i.test(entry.name)
    if (!isText && !/^[01]Table$/i.test(entry.name)) continue
    const bytes = await readStart(entry, WORD_BYTES)
    if (isText && isEncryptedWord(bytes))
      findings.push({ code: 'encrypted_office', detail: 'it has a password' })
    const text = plainText(bytes)
    if (isText && DDE_FIELD.test(text))
      findings.push({ code: 'active_content', detail: 'a field starts another program (DDE)' })
    else if (isText && FETCHING_FIELD.test(text))
      findings.push({ code: 'active_content', detail: 'a field loads a file' })
    if (!isText && REMOTE_TEMPLATE.test(text))
      findings.push({ code: 'active_content', detail: 'its template may be on another computer' })
  }
  return findings
}

/** The header of a document ([MS-DOC] 2.5.2, and that of Word 6) says whether the rest is encrypted. */
function isEncryptedWord(bytes: Uint8Array): boolean {
  const isHeader = (bytes[0] === 0xec || bytes[0] === 0xdc) && bytes[1] === 0xa5
  return isHeader && ((bytes[11] ?? 0) & 1) === 1
}

/** Text in UTF-16 or one byte per character, as far as it is in Latin letters. */
const plainText = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes).replaceAll('\0', '')

/** A VBAInfoContainer with its atom ([MS-PPT] 2.4.10): a reference to the project follows, and whether it has macros. */
const VBA_INFO = Uint8Array.of(0xff, 0x03, 0x14, 0, 0, 0, 0x02, 0, 0, 0x04, 0x0c, 0, 0, 0)
/** The name of a stream of a project, as a directory has it. */
const PROJECT = Uint8Array.from([...'_VBA_PROJECT'].flatMap((letter) => [letter.charCodeAt(0), 0]))
const ENCRYPTED_TOKEN = 0xf3d1c4df

/** Whether a presentation has a password ([MS-PPT] 2.3.2) or says that it has macros. */
export async function checkPresentation({
  entries,
  open,
  readStart,
}: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const summary = entries.some(({ name, sizeBytes }) => name === 'EncryptedSummary' && sizeBytes > 0)
  const user = entries.find(({ name }) => /^current user$/i.test(name))
  const head = user === undefined ? undefined : await readStart(user, 16)
  if (summary || (head?.length === 16 && viewOf(head).getUint32(12, true) === ENCRYPTED_TOKEN))
    findings.push({ code: 'encrypted_office', detail: 'it has a password' })
  for (const entry of entries.filter(({ name }) => /^powerpoint document$/i.test(name))) {
    const stream = await open(entry)
    const macros = new BytesFinder(VBA_INFO)
    const project = new BytesFinder(PROJECT)
    for await (const bytes of chunks(stream)) for (const finder of [macros, project]) finder.push(bytes)
    if (project.found) findings.push({ code: 'macros', detail: 'it contains a VBA project' })
    for (const at of macros.at)
      if ((await bytesAt(stream, at + VBA_INFO.length + 4, 4)).some((byte) => byte !== 0))
        findings.push({ code: 'macros', detail: 'it says so' })
  }
  return findings
}

const INFO_BYTES = 64 * 1024
/** The size of the package comes before it. */
const SIZE_BYTES = 8

/** Whether the package of an Office file is encrypted ([MS-OFFCRYPTO] 2.3). A stream of that name alone says nothing. */
export async function isEncryptedPackage({ entries, readStart }: CompoundDirectory): Promise<boolean> {
  const named = (wanted: string): CompoundEntry | undefined =>
    entries.find(({ name }) => name.toLowerCase() === wanted)
  const [infoEntry, packageEntry] = [named('encryptioninfo'), named('encryptedpackage')]
  if (infoEntry === undefined || packageEntry === undefined) return false
  const info = await readStart(infoEntry, INFO_BYTES)
  const content = await readStart(packageEntry, 4096)
  if (info.length < 8 || content.length < SIZE_BYTES + 16) return false
  const [major, minor] = [viewOf(info).getUint16(0, true), viewOf(info).getUint16(2, true)]
  const isAgile = major === 4 && minor === 4 && new TextDecoder('latin1').decode(info).includes('<encryption')
  const isOther = major >= 2 && major <= 4 && (minor === 2 || minor === 3) && info.length >= 44
  return (isAgile || isOther) && isRandom(content.subarray(SIZE_BYTES))
}

/** Encrypted bytes are spread evenly; a document or a program starts with many equal ones, or with letters. */
function isRandom(bytes: Uint8Array): boolean {
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
  return counts.every((count) => count <= 4 + bytes.length / 32)
}
