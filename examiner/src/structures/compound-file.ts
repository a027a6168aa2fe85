import { groupBy } from '@kitseal/kit/internal'
import { executableName } from '../detect/programs.ts'
import type { ExamineContext } from '../examine-context.ts'
import { bytesAt, chunks, viewOf } from '../platform/sources.ts'
import { type Finding, detailOf } from '../rules.ts'
import { BytesFinder } from '../search/find-bytes.ts'
import { ProgramSearch } from '../search/program-search.ts'
import { type CompoundDirectory, type CompoundEntry, readCompoundDirectory } from './compound-directory.ts'
import { sourceFile } from './inner-files.ts'
import type { FileToCheck, InnerFile, Structure } from './structure.ts'

/** The first row with one of these streams decides what the file is. */
const KINDS: readonly (readonly [streams: readonly string[], type: string])[] = [
  [['worddocument'], 'doc'],
  [['workbook', 'book'], 'xls'],
  [['powerpoint document'], 'ppt'],
  [['__properties_version1.0'], 'msg'],
  [['visiodocument', 'props', 'quill'], 'vsd'],
]
/** What is opened to look for links, macro sheets and passwords, and how far. */
const READ: readonly (readonly [name: RegExp, limitBytes: number, read: typeof workbookFindings])[] = [
  [/^(?:work)?book$/i, 4 * 1024 * 1024, workbookFindings],
  [/^worddocument$/i, 32 * 1024 * 1024, documentFindings],
  [/^powerpoint document$/i, 32 * 1024 * 1024, presentationFindings],
  [/^current user$/i, 16, userFindings],
  [/^[01]table$/i, 4 * 1024 * 1024, templateFindings],
]
const NATIVE_HEADER_BYTES = 2048

/** Microsoft's Compound File Binary: a legacy or encrypted Office file, an Outlook message, or an installer. */
export async function checkCompoundFile({ source }: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const directory = await readCompoundDirectory(source)
  const { entries, isComplete } = directory
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  const has = (...wanted: readonly string[]): boolean => wanted.some((name) => names.has(name))
  const type = KINDS.find(([streams]) => has(...streams))?.[1] ?? 'compound'
  const isEncrypted = (has('encryptioninfo') && has('encryptedpackage')) || has('encryptedsummary')
  const findings: Finding[] = []
  // The encoded table names of an installer start with this character.
  if (entries.some(({ name }) => name.startsWith('\u4840')))
    findings.push({ code: 'executable_content', detail: detailOf('detail.installer') })
  if (!isComplete) findings.push({ code: 'malformed_office', detail: detailOf('detail.badFolder') })
  if (isEncrypted) findings.push({ code: 'encrypted_office', detail: detailOf('detail.password') })
  if (has('vba', '_vba_project', 'macros', '_vba_project_cur'))
    findings.push({ code: 'macros', detail: detailOf('detail.vba') })
  for (const entry of entries) findings.push(...(await streamFindings(directory, entry)))
  const hasObjects =
    has('objectpool', '\u0001ole10native', 'powerpoint document', '__substg1.0_10090102', '\u0003ocxname') ||
    (type === 'compound' && !isEncrypted && findings.length === 0)
  if (hasObjects) findings.push({ code: 'partly_examined', detail: detailOf('detail.objectsNotOpened') })
  const inner = type === 'msg' ? await attachments(directory) : []
  const total = inner.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = ctx.budget.admit(0, total, source.sizeBytes)
  return limit === undefined ? { type, findings, inner } : { type, findings: [...findings, limit] }
}

/** A program in a stream, whose sectors may be scattered, and what else streams of documents show. */
async function streamFindings(
  { open }: CompoundDirectory,
  entry: CompoundEntry,
): Promise<readonly Finding[]> {
  // Attachments are examined as files.
  if (entry.sizeBytes === 0 || PROPERTY.test(entry.name)) return []
  const stream = await open(entry)
  const search = new ProgramSearch()
  for await (const bytes of chunks(stream)) search.push(bytes)
  const program = search.end()
  const findings: Finding[] = []
  if (program !== undefined)
    findings.push({
      code: 'executable_content',
      detail: detailOf('detail.streamProgram', { program: detailOf(program.what) }),
    })
  if (/ole10native$/i.test(entry.name)) {
    const header = plainText(await bytesAt(stream, 0, NATIVE_HEADER_BYTES), '\n')
    const name = header.split('\n').find((path) => executableName(baseName(path), false) !== undefined)
    if (name !== undefined)
      findings.push({
        code: 'executable_content',
        detail: detailOf('detail.embeddedNamed', { name: baseName(name) }),
      })
  }
  for (const [name, limitBytes, read] of READ)
    if (name.test(entry.name)) findings.push(...read(await bytesAt(stream, 0, limitBytes)))
  return findings
}

const [BOUND_SHEET, FILE_PASS, END_OF_GLOBALS, LINKED_FILE] = [0x85, 0x2f, 0x0a, 0x1ae]
const [MACRO_SHEET, VBA_MODULE] = [1, 6]

/** Reads the records before the first sheet ([MS-XLS]): Excel 4.0 macro sheets, encryption and links. */
function workbookFindings(bytes: Uint8Array): readonly Finding[] {
  const findings: Finding[] = []
  const view = viewOf(bytes)
  for (let at = 0; at + 4 <= bytes.length; at += 4 + view.getUint16(at + 2, true)) {
    const type = view.getUint16(at, true)
    const data = bytes.subarray(at + 4, at + 4 + view.getUint16(at + 2, true))
    if (type === END_OF_GLOBALS) break
    // The records after it are encrypted.
    if (type === FILE_PASS)
      return [...findings, { code: 'encrypted_office', detail: detailOf('detail.password') }]
    if (type === BOUND_SHEET && (data[5] === MACRO_SHEET || data[5] === VBA_MODULE))
      findings.push({ code: 'macros', detail: detailOf('detail.macroSheet') })
    // Other workbooks, not those of this one or of add-ins, which have these lengths.
    if (type === LINKED_FILE && data[3] !== 0x04 && data[3] !== 0x3a) findings.push(...linkFindings(data))
  }
  return findings
}

/** A number of sheets, the length of a path and the path, in which 3 separates the program and the topic of DDE. */
function linkFindings(data: Uint8Array): readonly Finding[] {
  const path = plainText(data.subarray(4))
  if (path.includes('\x03') && data[0] === 0 && data[1] === 0)
    return [{ code: 'active_content', detail: detailOf('detail.linksDdeOle') }]
  return /https?:|ftp:|\\\\/i.test(path)
    ? [{ code: 'active_content', detail: detailOf('detail.linksRemoteFile') }]
    : []
}

/** Where a field starts in a document. */
const FIELD = '\u0013'
const DDE_FIELD = new RegExp(String.raw`${FIELD}\s{0,50}DDE(?:AUTO)?[\s"\\]`, 'i')
const FETCHING_FIELD = new RegExp(
  String.raw`${FIELD}\s{0,50}(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^${FIELD}]{0,300}?(?:https?:|ftp:|file:|\\\\\\\\)`,
  'i',
)

/** Fields of a Word document that run or fetch something, and whether its header says that it is encrypted ([MS-DOC] 2.5.2). */
function documentFindings(bytes: Uint8Array): readonly Finding[] {
  const isHeader = (bytes[0] === 0xec || bytes[0] === 0xdc) && bytes[1] === 0xa5
  if (isHeader && ((bytes[11] ?? 0) & 1) === 1)
    return [{ code: 'encrypted_office', detail: detailOf('detail.password') }]
  const text = plainText(bytes)
  if (DDE_FIELD.test(text)) return [{ code: 'active_content', detail: detailOf('detail.fieldStarts') }]
  return FETCHING_FIELD.test(text) ? [{ code: 'active_content', detail: detailOf('detail.fieldLoads') }] : []
}

const REMOTE_TEMPLATE = /(?:https?:\/\/|(?<!\\)\\\\)[^"<>\p{Cc}]{1,120}\.(?:dot[mx]?|doc[mx]?|rtf|wbk)/iu

function templateFindings(bytes: Uint8Array): readonly Finding[] {
  return REMOTE_TEMPLATE.test(plainText(bytes))
    ? [{ code: 'active_content', detail: detailOf('detail.templateMayBeRemote') }]
    : []
}

/** A VBAInfoContainer with its atom ([MS-PPT] 2.4.10): a reference to the project follows, and whether it has macros. */
const VBA_INFO = Uint8Array.of(0xff, 0x03, 0x14, 0, 0, 0, 0x02, 0, 0, 0x04, 0x0c, 0, 0, 0)

function presentationFindings(bytes: Uint8Array): readonly Finding[] {
  const finder = new BytesFinder(VBA_INFO, 100)
  finder.push(bytes)
  const hasMacros = finder.at.some((at) => bytes.subarray(at + 18, at + 22).some((byte) => byte !== 0))
  return hasMacros ? [{ code: 'macros', detail: detailOf('detail.vba') }] : []
}

/** In place of the usual mark if the presentation has a password ([MS-PPT] 2.3.2). */
const ENCRYPTED_TOKEN = 0xf3d1c4df

function userFindings(bytes: Uint8Array): readonly Finding[] {
  return bytes.length === 16 && viewOf(bytes).getUint32(12, true) === ENCRYPTED_TOKEN
    ? [{ code: 'encrypted_office', detail: detailOf('detail.password') }]
    : []
}

/** Text in UTF-16 or one byte per character, as far as it is in Latin letters. */
const plainText = (bytes: Uint8Array, zero = ''): string =>
  new TextDecoder('latin1').decode(bytes).replaceAll('\0', zero)

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1).trim()

const PROPERTY = /^__substg1\.0_([\da-f]{4})([\da-f]{4})$/i
/** The properties that name an attachment ([MS-OXPROPS]): its long name, its short one, what is displayed. */
const NAMES = ['3707', '3704', '3001']
const [ATTACHED, HTML_BODY] = ['3701', '1013']
const MAX_NAME_BYTES = 2048

/** Files that are attached to an Outlook message ([MS-OXMSG]), and its body in HTML. */
async function attachments({ entries, open }: CompoundDirectory): Promise<readonly InnerFile[]> {
  const parts: InnerFile[] = []
  const properties = entries.filter(({ name, sizeBytes }) => PROPERTY.test(name) && sizeBytes > 0)
  for (const [, siblings] of groupBy(properties, ({ storage }) => storage ?? ''))
    for (const entry of siblings) {
      const tag = tagOf(entry)
      if (tag === HTML_BODY)
        parts.push(sourceFile(`body ${parts.length + 1}.html`, 'package', await open(entry)))
      // What ends in 000d is a storage: a message.
      if (tag !== ATTACHED || /000d$/i.test(entry.name)) continue
      const named = NAMES.flatMap((name) => siblings.find((one) => tagOf(one) === name) ?? [])
      const found = await Promise.all(named.map(async (one) => nameIn(one, await open(one))))
      const name = found.find((one) => one !== '') ?? `attachment ${parts.length + 1}`
      parts.push(sourceFile(name, 'attachment', await open(entry)))
    }
  return parts
}

const tagOf = ({ name }: CompoundEntry): string => PROPERTY.exec(name)?.[1]?.toLowerCase() ?? ''

async function nameIn({ name }: CompoundEntry, stream: Parameters<typeof bytesAt>[0]): Promise<string> {
  // PT_STRING8 is in the code page of the sender.
  const decoder = new TextDecoder(/001f$/i.test(name) ? 'utf-16le' : 'latin1')
  return baseName(decoder.decode(await bytesAt(stream, 0, MAX_NAME_BYTES)).split('\0', 1)[0] ?? '')
}
