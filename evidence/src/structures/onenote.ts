// docs/decisions/0208
import { BytesFinder } from '../detect/find-bytes.ts'
import { programIn, scriptIn } from '../detect/programs.ts'
import { bytesAt, chunks } from '../platform/sources.ts'
import type { FileToCheck, Structure } from './structure.ts'

/** The start of a FileDataStoreObject ([MS-ONESTORE] 2.6.13), and where its content starts. */
const STORED_FILE = Uint8Array.from('e716e3bd65261145a4c48d4d0b7a9eac'.match(/../g) ?? [], (byte) =>
  Number.parseInt(byte, 16),
)
const CONTENT_AT = 36
const CONTENT_BYTES = 512
const MAX_FILES = 1000

/** Searches the files in a OneNote section for programs and scripts, which run on a double click. */
export async function checkOneNote({ source }: Pick<FileToCheck, 'source'>): Promise<Structure> {
  const finder = new BytesFinder(STORED_FILE, MAX_FILES)
  for await (const bytes of chunks(source)) finder.push(bytes)
  for (const at of finder.at) {
    const content = await bytesAt(source, at + CONTENT_AT, CONTENT_BYTES)
    const program = programIn(content) ?? scriptIn(content)
    if (program !== undefined)
      return { findings: [{ code: 'executable_content', detail: `a file in it: ${program}` }], notes: [] }
  }
  const detail =
    finder.at.length < MAX_FILES
      ? 'only the files in it were searched'
      : `only ${MAX_FILES} files in it were searched`
  return { findings: [{ code: 'partly_examined', detail }], notes: [] }
}
