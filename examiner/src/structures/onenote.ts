import { BytesFinder } from '../detect/find-bytes.ts'
import { signature } from '../detect/signatures.ts'
import { executableName, runsWhenOpened } from '../detect/programs.ts'
import { bytesAt, chunks, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { rangeOf } from './inner-files.ts'
import type { FileToCheck, InnerFile, Structure } from './structure.ts'

/** The start of a FileDataStoreObject ([MS-ONESTORE] 2.6.13), and where its content starts. */
const STORED_FILE = Uint8Array.from('e716e3bd65261145a4c48d4d0b7a9eac'.match(/../g) ?? [], (byte) =>
  Number.parseInt(byte, 16),
)
const CONTENT_AT = 36
const MAX_FILES = 1000
const NAME = /(?:[\w ()~$.-]\0){3,200}/g

/** Examines the files in a OneNote section, which a double click opens. */
export async function checkOneNote({ source }: Pick<FileToCheck, 'source'>): Promise<Structure> {
  const finder = new BytesFinder(STORED_FILE, MAX_FILES)
  const names = new Set<string>()
  let carried = ''
  for await (const bytes of chunks(source)) {
    finder.push(bytes)
    const text = carried + latin1.decode(bytes)
    carried = text.slice(-1024)
    for (const name of programNames(text)) names.add(name)
  }
  const inner: InnerFile[] = []
  let hasOther = false
  for (const at of finder.at) {
    const length = await bytesAt(source, at + 16, 8)
    if (length.length < 8) continue
    const stated = Number(viewOf(length).getBigUint64(0, true))
    const left = source.sizeBytes - at - CONTENT_AT
    // A length that cannot be right hides nothing.
    const sizeBytes = stated > 0 && stated <= left ? stated : left
    const name = `file ${inner.length + 1}`
    hasOther ||= !isDocument(await bytesAt(source, at + CONTENT_AT, 16))
    if (sizeBytes > 0) inner.push(rangeOf(source, { name, held: 'object', at: at + CONTENT_AT, sizeBytes }))
  }
  const findings: Finding[] = []
  const [program] = names
  if (program !== undefined && hasOther)
    findings.push({ code: 'executable_content', detail: `a file in it is named ${program}` })
  const examined = finder.at.length < MAX_FILES ? 'the files' : `${MAX_FILES} files`
  findings.push({ code: 'partly_examined', detail: `only ${examined} in it were examined` })
  return { findings, notes: [], inner }
}

/** Pictures and documents, whatever a note beside them says. */
const isDocument = signature(
  '89504e47',
  'ffd8ff',
  '47494638',
  '424d',
  '01000000',
  '25504446',
  '504b0304',
  'd0cf11e0',
)

const latin1 = new TextDecoder('latin1')

/** Texts that are nothing but the name of a program or script. */
function* programNames(text: string): Generator<string> {
  for (const { 0: wide, index } of text.matchAll(NAME)) {
    const name = wide.replaceAll('\0', '')
    // Names are after their length, with or without a NUL at their end.
    const isWhole = text.slice(index - 3, index) === '\0\0\0' && /^[^\0]$/.test(text[index - 4] ?? '')
    if (!isWhole || !/\.[\w-]{2,20}$/.test(name)) continue
    if (executableName(name, false) !== undefined || runsWhenOpened(name)) yield name
  }
}
