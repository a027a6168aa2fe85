import type { RandomAccess } from '@kitseal/kit'
import { BytesFinder, eicarString, findBytes } from '../detect/find-bytes.ts'
import { programIn } from '../detect/programs.ts'
import { bytesAt } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import type { Structure } from './structure.ts'

const MARKER = new TextEncoder().encode('/EmbeddedFile')
/** How far before the marker its dictionary may start, and how far after it the content. */
const [BEFORE_BYTES, AFTER_BYTES] = [1024, 4096]
const CONTENT_BYTES = 8192
const MAX_ATTACHMENTS = 1000

/** Records where files may be attached. */
export const attachmentFinder = (): BytesFinder => new BytesFinder(MARKER, MAX_ATTACHMENTS + 1)

/** Searches the start of each attached file for programs and the EICAR string. */
export async function checkAttachments(
  source: RandomAccess,
  markersAt: readonly number[],
): Promise<Structure> {
  const findings: Finding[] = []
  for (const marker of markersAt.slice(0, MAX_ATTACHMENTS))
    findings.push(...findingsIn(await attachmentAt(source, marker)))
  const hasMore = markersAt.length > MAX_ATTACHMENTS
  return { findings, notes: hasMore ? [`only the first ${MAX_ATTACHMENTS} attachments were searched`] : [] }
}

function findingsIn(content: Uint8Array): readonly Finding[] {
  const program = programIn(content)
  if (program !== undefined) return [{ code: 'executable_content', detail: `an attachment is ${program}` }]
  const hasEicar = findBytes(content, eicarString()) !== -1
  return hasEicar ? [{ code: 'test_virus', detail: 'it is in an attachment' }] : []
}

const NOTHING = new Uint8Array(0)

/** The start of the stream whose dictionary contains the marker. */
async function attachmentAt(source: RandomAccess, marker: number): Promise<Uint8Array> {
  const start = Math.max(0, marker - BEFORE_BYTES)
  const text = new TextDecoder('latin1').decode(
    await bytesAt(source, start, marker - start + MARKER.length + AFTER_BYTES),
  )
  const after = text.slice(marker - start + MARKER.length)
  // Excludes the name tree /EmbeddedFiles and objects without a stream.
  const content = /^(?![A-Za-z])(?:(?!endobj)[^])*?\bstream\r?\n/.exec(after)?.[0]
  if (content === undefined) return NOTHING
  const dictionary = text.slice(text.lastIndexOf('obj', marker - start), marker - start) + content
  const contentAt = marker + MARKER.length + content.length
  const bytes = await bytesAt(source, contentAt, CONTENT_BYTES)
  if (!dictionary.includes('/Filter')) return bytes
  return /\/(?:FlateDecode|Fl)\b/.test(dictionary) ? startOfInflated(bytes) : NOTHING
}

const ignore = (): undefined => undefined

/** Inflates the start of a stream that is cut off. */
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
