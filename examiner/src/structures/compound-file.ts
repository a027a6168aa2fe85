import { endingOf } from '../detect/file-endings.ts'
import { findBytes } from '../detect/find-bytes.ts'
import { executableName, runsWhenOpened } from '../detect/programs.ts'
import type { ExamineContext } from '../examine-context.ts'
import { bytesAt, sourceRange, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type CompoundDirectory, type CompoundEntry, readCompoundDirectory } from './compound-directory.ts'
import { packageWithDefaultPassword } from './default-password.ts'
import { isEncryptedPackage } from './encrypted-office.ts'
import { bytesFile, sourceFile } from './inner-files.ts'
import { checkWordStreams, checkWorkbook } from './legacy-office.ts'
import { packagedFile } from './ole-package.ts'
import { outlookParts } from './outlook.ts'
import { readPresentation } from './presentation.ts'
import type { FileToCheck, InnerFile, Structure } from './structure.ts'
import { vbaIn } from './vba.ts'

/** The first row with one of these streams decides what the file is. */
const KINDS: readonly (readonly [streams: readonly string[], type: string, isOffice: boolean])[] = [
  [['worddocument'], 'doc', true],
  [['workbook', 'book'], 'xls', true],
  [['powerpoint document'], 'ppt', true],
  [['__properties_version1.0'], 'msg', false],
  [['visiodocument', 'props', 'quill'], 'vsd', true],
]

/** Microsoft's Compound File Binary: a legacy or encrypted Office file, an Outlook message, or an installer. */
export async function checkCompoundFile(
  { source }: Pick<FileToCheck, 'source'>,
  ctx: ExamineContext,
): Promise<Structure> {
  const directory = await readCompoundDirectory(source)
  const { entries } = directory
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  const has = (wanted: readonly string[]): boolean => wanted.some((name) => names.has(name))
  const findings: Finding[] = []
  const inner: InnerFile[] = []
  // The encoded table names of an installer start with this character.
  if (entries.some(({ name }) => name.startsWith('\u4840')))
    findings.push({ code: 'executable_content', detail: 'it is a Windows installer (MSI)' })
  if (!directory.isComplete)
    findings.push({ code: 'malformed_office', detail: 'its directory is damaged or too large' })
  const kind = KINDS.find(([streams]) => has(streams))
  const isEncrypted = kind === undefined && (await isEncryptedPackage(directory))
  const opened =
    isEncrypted && ctx.budget.takeParsing(DECRYPTING_COST)
      ? await packageWithDefaultPassword(directory)
      : undefined
  if (opened !== undefined) inner.push(bytesFile('content', 'file', opened))
  else if (isEncrypted)
    findings.push({ code: 'encrypted_office', detail: 'it contains an encrypted package' })
  if (kind?.[2] === true) findings.push({ code: 'legacy_office' })
  const vba = await vbaIn(directory)
  if (vba === 'code') findings.push({ code: 'macros', detail: 'it contains a VBA project' })
  if (vba === 'empty') findings.push({ code: 'empty_macros' })
  if (has(['workbook', 'book'])) findings.push(...(await checkWorkbook(directory)))
  if (has(['worddocument'])) findings.push(...(await checkWordStreams(directory)))
  if (has(['powerpoint document'])) {
    const presentation = await readPresentation(directory)
    findings.push(...presentation.findings)
    inner.push(...presentation.inner)
  }
  if (has(['__properties_version1.0'])) inner.push(...(await outlookParts(directory)))
  const objects = await objectParts(directory, isEncrypted)
  findings.push(...objects.findings, ...activeObjects(directory))
  inner.push(...objects.inner)
  const total = inner.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = ctx.budget.admit(0, total, source.sizeBytes)
  if (limit !== undefined) return { type: kind?.[1] ?? 'compound', findings: [...findings, limit], notes: [] }
  return { type: kind?.[1] ?? 'compound', findings, notes: [], inner }
}

/** Trying a password takes as long as parsing this much. */
const DECRYPTING_COST = 4 * 1024 * 1024
const MAX_NATIVE_BYTES = 64 * 1024 * 1024

/** Files that were dragged into a document, and documents in it. */
async function objectParts(
  { entries, open, readStart }: CompoundDirectory,
  isEncrypted: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly inner: readonly InnerFile[] }> {
  const findings: Finding[] = []
  const inner: InnerFile[] = []
  for (const entry of entries) {
    if (entry.sizeBytes === 0) continue
    if (/ole10native$/i.test(entry.name)) {
      const file = packagedFile(await readStart(entry, MAX_NATIVE_BYTES))
      inner.push(bytesFile(file.name, 'object', file.content))
      const program = file.names.find((name) => runsInDocument(name))
      if (program !== undefined)
        findings.push({ code: 'executable_content', detail: `an embedded file is named ${program}` })
      if (entry.sizeBytes > MAX_NATIVE_BYTES)
        findings.push({ code: 'partly_examined', detail: `only the start of ${file.name} was examined` })
    } else if (await isDocumentStream(entry, isEncrypted, open)) {
      const stream = await open(entry)
      inner.push(sourceFile(entry.name, 'object', stream))
      // The size of a package comes before it.
      if (/^EncryptedPackage$/i.test(entry.name) && stream.sizeBytes > 8)
        inner.push(sourceFile(entry.name, 'object', sourceRange(stream, 8, stream.sizeBytes - 8)))
    }
  }
  return { findings, inner }
}

const runsInDocument = (name: string): boolean =>
  executableName(name, false) !== undefined || (endingOf(name) !== undefined && runsWhenOpened(name))

/** Streams that hold a whole file: an embedded document, or one that only looks encrypted. */
async function isDocumentStream(
  entry: CompoundEntry,
  isEncrypted: boolean,
  open: CompoundDirectory['open'],
): Promise<boolean> {
  if (/^EncryptedPackage$/i.test(entry.name)) return !isEncrypted
  if (/^__substg1/i.test(entry.name)) return false
  const head = await bytesAt(await open(entry), 0, HEAD_BYTES)
  if (head.length < 8) return false
  const [first, second] = [viewOf(head).getUint32(0), viewOf(head).getUint32(4)]
  return WHOLE_FILES.has(first) || (first === 0xd0cf11e0 && second === 0xa1b11ae1) || isPortableProgram(head)
}

const HEAD_BYTES = 4096
/** ZIP, PDF, RTF and Linux programs. */
const WHOLE_FILES = new Set([0x504b0304, 0x25504446, 0x7b5c7274, 0x7f454c46])

/** Other data may start with MZ, too. */
function isPortableProgram(head: Uint8Array): boolean {
  if (head[0] !== 0x4d || head[1] !== 0x5a || head.length < 64) return false
  const at = viewOf(head).getUint32(60, true)
  const hasStub = findBytes(head, STUB) !== -1
  return hasStub || (head[at] === 0x50 && head[at + 1] === 0x45)
}

const STUB = new TextEncoder().encode('This program ')

/** The equation editor, with and without the name of its stream, and ActiveX controls. */
function activeObjects(directory: CompoundDirectory): readonly Finding[] {
  const { entries } = directory
  const hasEquation = [directory, ...entries].some(
    (one) => /^0[23]ce0200/.test(one.classId) || ('name' in one && one.name === 'Equation Native'),
  )
  const hasControl = entries.some(({ name }) => name === '\u0003OCXNAME' || name === '\u0003OCXDATA')
  return [
    ...(hasEquation ? [{ code: 'active_content', detail: 'it contains an equation object' } as const] : []),
    ...(hasControl ? [{ code: 'active_content', detail: 'it contains ActiveX controls' } as const] : []),
  ]
}
