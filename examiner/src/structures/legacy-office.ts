import { viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { workbookWithDefaultPassword } from './default-password.ts'
import type { CompoundDirectory } from './compound-directory.ts'

const GLOBALS_BYTES = 4 * 1024 * 1024
const [BOUND_SHEET, FILE_PASS, END_OF_GLOBALS, LINKED_FILE] = [0x85, 0x2f, 0x0a, 0x1ae]
const [MACRO_SHEET, VBA_MODULE] = [1, 6]
const NONE = new Uint8Array(0)

/** Reads the records before the first sheet ([MS-XLS]): Excel 4.0 macro sheets, encryption and links. */
export async function checkWorkbook({ entries, readStart }: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries.filter(({ name }) => /^(?:work)?book$/i.test(name))) {
    const bytes = await readStart(entry, GLOBALS_BYTES)
    const view = viewOf(bytes)
    let plain: Uint8Array | undefined = bytes
    for (let at = 0; at + 4 <= bytes.length; at += 4 + view.getUint16(at + 2, true)) {
      const type = view.getUint16(at, true)
      const [from, to] = [at + 4, at + 4 + view.getUint16(at + 2, true)]
      if (type === END_OF_GLOBALS) break
      // Once: decrypting takes time, and a second one has no meaning.
      if (type === FILE_PASS && plain === bytes) {
        plain = await workbookWithDefaultPassword(bytes.subarray(from, to), bytes)
        if (plain === undefined) findings.push({ code: 'encrypted_office', detail: 'it has a password' })
      }
      const data = plain?.subarray(from, to) ?? NONE
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
const DDE_FIELD = new RegExp(String.raw`${FIELD}\s*DDE(?:AUTO)?[\s"\\]`, 'i')
const FETCHING_FIELD = new RegExp(
  String.raw`${FIELD}\s*(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^${FIELD}]{0,300}?(?:https?:|ftp:|file:|\\\\\\\\)`,
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
