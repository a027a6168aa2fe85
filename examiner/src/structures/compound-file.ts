import { groupBy } from '@kitseal/kit/internal'
import { executableName, programIn } from '../detect/programs.ts'
import type { ExamineContext } from '../examine-context.ts'
import { bytesAt, sourceRange, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type CompoundDirectory, type CompoundEntry, readCompoundDirectory } from './compound-directory.ts'
import { bytesFile, sourceFile } from './inner-files.ts'
import { checkPresentation, checkWordStreams, checkWorkbook, isEncryptedPackage } from './legacy-office.ts'
import type { FileToCheck, InnerFile, Structure } from './structure.ts'

/** The first row with one of these streams decides what the file is. */
const KINDS: readonly (readonly [streams: readonly string[], type: string])[] = [
  [['worddocument'], 'doc'],
  [['workbook', 'book'], 'xls'],
  [['powerpoint document'], 'ppt'],
  [['__properties_version1.0'], 'msg'],
  [['visiodocument', 'props', 'quill'], 'vsd'],
]
const VBA_PROJECT = new Set(['vba', '_vba_project', 'macros', '_vba_project_cur'])

/** Microsoft's Compound File Binary: a legacy or encrypted Office file, an Outlook message, or an installer. */
export async function checkCompoundFile({ source }: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const directory = await readCompoundDirectory(source)
  const { entries } = directory
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  const findings: Finding[] = []
  // The encoded table names of an installer start with this character.
  if (entries.some(({ name }) => name.startsWith('\u4840')))
    findings.push({ code: 'executable_content', detail: 'it is a Windows installer (MSI)' })
  if (!directory.isComplete)
    findings.push({ code: 'malformed_office', detail: 'its directory is damaged or too large' })
  const type = KINDS.find(([streams]) => streams.some((name) => names.has(name)))?.[1] ?? 'compound'
  const isEncrypted = type === 'compound' && (await isEncryptedPackage(directory))
  if (isEncrypted) findings.push({ code: 'encrypted_office', detail: 'it contains an encrypted package' })
  if (entries.some(({ name }) => VBA_PROJECT.has(name.toLowerCase())))
    findings.push({ code: 'macros', detail: 'it contains a VBA project' })
  if (names.has('workbook') || names.has('book')) findings.push(...(await checkWorkbook(directory)))
  if (names.has('worddocument')) findings.push(...(await checkWordStreams(directory)))
  if (names.has('powerpoint document')) findings.push(...(await checkPresentation(directory)))
  const objects = await objectParts(directory, isEncrypted)
  const inner = type === 'msg' ? [...(await attachments(directory)), ...objects.inner] : objects.inner
  findings.push(...objects.findings, ...activeObjects(directory))
  if (isNotTakenApart(names))
    findings.push({ code: 'partly_examined', detail: 'objects in it were not taken apart' })
  const total = inner.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = ctx.budget.admit(0, total, source.sizeBytes)
  return limit === undefined
    ? { type, findings, notes: [], inner }
    : { type, findings: [...findings, limit], notes: [] }
}

/** Objects, streams of a presentation, and the compressed body of a message, of which no other form is read. */
const isNotTakenApart = (names: ReadonlySet<string>): boolean =>
  ['objectpool', '\u0001ole10native', 'powerpoint document', '__substg1.0_10090102'].some((name) =>
    names.has(name),
  )

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
      const program = file.names.find((name) => executableName(name, false) !== undefined)
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

const HEAD_BYTES = 4096
/** ZIP, PDF and RTF. */
const WHOLE_FILES = new Set([0x504b0304, 0x25504446, 0x7b5c7274])

/** Streams that hold a whole file: an embedded document, a program, or one that only looks encrypted. */
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
  if (WHOLE_FILES.has(first) || (first === 0xd0cf11e0 && second === 0xa1b11ae1)) return true
  return head[0] !== 0x4d && programIn(head) !== undefined
}

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

interface PackagedFile {
  readonly name: string
  readonly content: Uint8Array
  /** Every name that it has. Programs use different ones. */
  readonly names: readonly string[]
}

/** A file that was dragged into a document: label, path, temporary path and content ([MS-OLEDS] 2.3.6, Ole10Native). */
function packagedFile(native: Uint8Array): PackagedFile {
  const view = viewOf(native)
  const label = textAt(native, 6)
  const path = textAt(native, label.end)
  // Two numbers, then the length of the temporary path.
  const at = path.end + 8
  const pathBytes = path.end + 8 <= native.length ? view.getUint32(path.end + 4, true) : 0
  const temporary = textAt(native, at)
  const sizeAt = at + pathBytes
  const names = [label.text, path.text, temporary.text].map(baseName).filter((name) => name !== '')
  const size = sizeAt + 4 <= native.length ? view.getUint32(sizeAt, true) : 0
  const content = native.subarray(sizeAt + 4, sizeAt + 4 + size)
  // Other programs write their data without names.
  if (size === 0 || content.length === 0 || names.length === 0)
    return { name: names[0] ?? 'object', content: native.subarray(4), names }
  return { name: names[0] as string, content, names }
}

function textAt(bytes: Uint8Array, from: number): { readonly text: string; readonly end: number } {
  const end = bytes.indexOf(0, from)
  if (end === -1 || end - from > 1024) return { text: '', end: from }
  return { text: new TextDecoder('latin1').decode(bytes.subarray(from, end)), end: end + 1 }
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1).trim()

const PROPERTY = /^__substg1\.0_([\da-f]{4})([\da-f]{4})$/i
/** The properties that name an attachment ([MS-OXPROPS]): its long name, its short one, what is displayed. */
const NAMES = ['3707', '3704', '3001']
const MAX_NAME_BYTES = 2048

/** Files that are attached to an Outlook message ([MS-OXMSG]), and its body in HTML. */
async function attachments(directory: CompoundDirectory): Promise<readonly InnerFile[]> {
  const { entries, open } = directory
  const parts: InnerFile[] = []
  for (const [, siblings] of groupBy(entries, ({ storages }) => storages?.join('/') ?? '')) {
    const byTag = new Map(siblings.map((entry) => [PROPERTY.exec(entry.name)?.[1]?.toLowerCase(), entry]))
    for (const entry of siblings) {
      const tag = PROPERTY.exec(entry.name)?.[1]?.toLowerCase()
      if (entry.sizeBytes === 0) continue
      if (tag === '3701' && !/000d$/i.test(entry.name)) {
        const named = NAMES.flatMap((name) => byTag.get(name) ?? [])
        const name = (await firstName(directory, named)) ?? `attachment ${parts.length + 1}`
        parts.push(sourceFile(name, 'attachment', await open(entry)))
      } else if (tag === '1013')
        parts.push(sourceFile(`body ${parts.length + 1}.html`, 'package', await open(entry)))
    }
  }
  return parts
}

async function firstName(
  { readStart }: CompoundDirectory,
  entries: readonly CompoundEntry[],
): Promise<string | undefined> {
  for (const entry of entries) {
    // PT_STRING8 is in the code page of the sender.
    const isWide = /001f$/i.test(entry.name)
    const text = new TextDecoder(isWide ? 'utf-16le' : 'latin1').decode(
      await readStart(entry, MAX_NAME_BYTES),
    )
    const name = baseName(text.split('\0', 1)[0] ?? '')
    if (name !== '') return name
  }
  return undefined
}
