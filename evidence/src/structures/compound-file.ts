import type { RandomAccess } from '@kitseal/kit'
import { BytesFinder, eicarString, findBytes } from '../detect/find-bytes.ts'
import { executableName, programIn } from '../detect/programs.ts'
import { chunks, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type CompoundDirectory, readCompoundDirectory } from './compound-directory.ts'
import type { FileToCheck, Structure } from './structure.ts'

/** The first row with one of these streams decides what the file is. */
const KINDS: readonly (readonly [streams: readonly string[], type: string, isOffice: boolean])[] = [
  [['worddocument'], 'doc', true],
  [['workbook', 'book'], 'xls', true],
  [['powerpoint document'], 'ppt', true],
  [['__properties_version1.0'], 'msg', false],
  [['visiodocument', 'props', 'quill'], 'vsd', true],
]
const MACROS = new Set(['vba', '_vba_project', 'macros', '_vba_project_cur'])

/** Microsoft's Compound File Binary: a legacy or encrypted Office file, an Outlook message, or an installer. */
export async function checkCompoundFile({ source }: Pick<FileToCheck, 'source'>): Promise<Structure> {
  const directory = await readCompoundDirectory(source)
  const names = new Set(directory.entries.map(({ name }) => name.toLowerCase()))
  const has = (wanted: readonly string[]): boolean => wanted.some((name) => names.has(name))
  const findings: Finding[] = []
  if (has(['encryptedpackage'])) {
    findings.push({ code: 'encrypted_office', detail: 'it contains an encrypted package' })
    return { type: 'compound', findings, notes: [] }
  }
  // The encoded table names of an installer start with this character.
  if (directory.entries.some(({ name }) => name.startsWith('\u4840')))
    findings.push({ code: 'executable_content', detail: 'it is a Windows installer (MSI)' })
  if (!directory.isComplete)
    findings.push({ code: 'malformed_office', detail: 'its directory is damaged or too large' })
  const kind = KINDS.find(([streams]) => has(streams))
  if (kind?.[2] === true) findings.push({ code: 'legacy_office' })
  if ([...names].some((name) => MACROS.has(name)))
    findings.push({ code: 'macros', detail: 'it contains a VBA project' })
  if (kind?.[1] === 'xls') findings.push(...(await checkWorkbook(directory)))
  if (kind?.[1] === 'ppt') findings.push(...(await checkPresentation(source)))
  findings.push(...(await checkPackages(directory)), ...(await checkAttachments(directory)))
  return { type: kind?.[1] ?? 'compound', findings, notes: [] }
}

const GLOBALS_BYTES = 1024 * 1024
const [BOUND_SHEET, FILE_PASS, END_OF_GLOBALS] = [0x85, 0x2f, 0x0a]

/** Reads the records before the first sheet ([MS-XLS]): Excel 4.0 macro sheets and encryption. */
async function checkWorkbook({ entries, readStart }: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries.filter(({ name }) => /^(?:work)?book$/i.test(name))) {
    const bytes = await readStart(entry, GLOBALS_BYTES)
    const view = viewOf(bytes)
    for (let at = 0; at + 4 <= bytes.length; at += 4 + view.getUint16(at + 2, true)) {
      const type = view.getUint16(at, true)
      if (type === END_OF_GLOBALS) break
      if (type === FILE_PASS) findings.push({ code: 'encrypted_office', detail: 'it has a password' })
      if (type === BOUND_SHEET && bytes[at + 9] === 1)
        findings.push({ code: 'macros', detail: 'it contains an Excel 4.0 macro sheet' })
    }
  }
  return findings
}

/** A VBAInfoContainer with its atom ([MS-PPT] 2.4.10). */
const VBA_INFO = Uint8Array.from([0xff, 0x03, 0x14, 0, 0, 0, 0x02, 0, 0, 0x04, 0x0c, 0, 0, 0])

async function checkPresentation(source: RandomAccess): Promise<readonly Finding[]> {
  const finder = new BytesFinder(VBA_INFO)
  for await (const bytes of chunks(source)) finder.push(bytes)
  return finder.found ? [{ code: 'macros', detail: 'it contains a VBA project' }] : []
}

const PACKAGE_BYTES = 8192
const MAX_PACKAGES = 1000

/** Files that were dragged into a document: label, path and temporary path, then the content. */
async function checkPackages({ entries, readStart }: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const packages = entries.filter(({ name }) => /ole10native$/i.test(name))
  for (const entry of packages.slice(0, MAX_PACKAGES)) {
    const bytes = await readStart(entry, PACKAGE_BYTES)
    const text = new TextDecoder('latin1').decode(bytes.subarray(6))
    const name = text
      .slice(0, 4096)
      .split('\0')
      .slice(0, 2)
      .find((part) => executableName(part, false) !== undefined)
    const program = text.indexOf('\0MZ')
    const title =
      programIn(bytes.subarray(4)) ?? (program === -1 ? undefined : programIn(bytes.subarray(program + 7)))
    if (name !== undefined || title !== undefined)
      findings.push({
        code: 'executable_content',
        detail: `an embedded file is ${title ?? name ?? 'a program'}`,
      })
  }
  return findings
}

/** The content and the names of files that are attached to an Outlook message ([MS-OXMSG]). */
async function checkAttachments({ entries, readStart }: CompoundDirectory): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const parts = entries.filter(({ name }) => /^__substg1\.0_(?:37010102|3704001f|3707001f)$/i.test(name))
  for (const entry of parts.slice(0, MAX_PACKAGES)) {
    const bytes = await readStart(entry, PACKAGE_BYTES)
    const isContent = entry.name.endsWith('0102')
    const title = isContent ? programIn(bytes) : undefined
    const name = isContent ? undefined : executableName(utf16(bytes), false)
    if (title !== undefined || name !== undefined)
      findings.push({ code: 'executable_content', detail: `an attachment is ${title ?? 'a program'}` })
    if (isContent && findBytes(bytes, eicarString()) !== -1)
      findings.push({ code: 'test_virus', detail: 'it is in an attachment' })
  }
  return findings
}

const utf16 = (bytes: Uint8Array): string => new TextDecoder('utf-16le').decode(bytes).split('\0', 1)[0] ?? ''
