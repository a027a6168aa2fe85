import type { RandomAccess } from '@kitseal/kit'
import { BytesFinder, eicarString, findBytes } from '../find-bytes.ts'
import { programIn } from '../programs.ts'
import type { Finding } from '../rules.ts'
import { bytesAt, type Structure } from './structure.ts'

const MARK = new TextEncoder().encode('/EmbeddedFile')
/** How far before the mark its dictionary may begin, and how far behind it the content. */
const [BEFORE_BYTES, BEHIND_BYTES] = [1024, 4096]
const CONTENT_BYTES = 8192
const MAX_ATTACHMENTS = 1000

/** Finds where files may be attached. */
export const attachmentFinder = (): BytesFinder => new BytesFinder(MARK, MAX_ATTACHMENTS + 1)

/** Looks into the beginnings of files that are attached to a PDF, for programs and the EICAR string. */
export async function examineAttachments(
  source: RandomAccess,
  marksAt: readonly number[],
): Promise<Structure> {
  const findings: Finding[] = []
  for (const mark of marksAt.slice(0, MAX_ATTACHMENTS))
    findings.push(...findingsIn(await attachmentAt(source, mark)))
  const isMore = marksAt.length > MAX_ATTACHMENTS
  return { findings, notes: isMore ? [`only its first ${MAX_ATTACHMENTS} attachments were looked at`] : [] }
}

function findingsIn(content: Uint8Array): readonly Finding[] {
  const program = programIn(content)
  if (program !== undefined) return [{ code: 'executable_content', seen: `an attachment is ${program}` }]
  const hasEicar = findBytes(content, eicarString()) !== -1
  return hasEicar ? [{ code: 'test_virus', seen: 'it is in an attachment' }] : []
}

const NOTHING = new Uint8Array(0)

/** The beginning of the stream whose dictionary holds the mark. */
async function attachmentAt(source: RandomAccess, mark: number): Promise<Uint8Array> {
  const start = Math.max(0, mark - BEFORE_BYTES)
  const text = new TextDecoder('latin1').decode(
    await bytesAt(source, start, mark - start + MARK.length + BEHIND_BYTES),
  )
  const behind = text.slice(mark - start + MARK.length)
  // Not the tree of names, /EmbeddedFiles, and nothing that has no content of its own.
  const content = /^(?![A-Za-z])(?:(?!endobj)[^])*?\bstream\r?\n/.exec(behind)?.[0]
  if (content === undefined) return NOTHING
  const dictionary = text.slice(text.lastIndexOf('obj', mark - start), mark - start) + content
  const contentAt = mark + MARK.length + content.length
  const bytes = await bytesAt(source, contentAt, CONTENT_BYTES)
  if (!dictionary.includes('/Filter')) return bytes
  return /\/(?:FlateDecode|Fl)\b/.test(dictionary) ? startOfInflated(bytes) : NOTHING
}

const ignore = (): undefined => undefined

/** What the beginning of a deflated stream becomes; its end is missing, and need not be there. */
async function startOfInflated(bytes: Uint8Array): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('deflate')
  const writer = writable.getWriter()
  const reader = readable.getReader()
  const first = reader.read().then(({ value }) => value as Uint8Array | undefined, ignore)
  writer.write(new Uint8Array(bytes)).catch(ignore)
  writer.close().catch(ignore)
  const inflated = await first
  await reader.cancel().catch(ignore)
  return inflated ?? NOTHING
}
