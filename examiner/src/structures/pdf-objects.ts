import type { RandomAccess } from '@kitseal/kit'
import { chunks } from '../platform/sources.ts'
import { PdfObject } from './pdf-object.ts'

/** Longer objects are not read to their end. */
const MAX_OBJECT_BYTES = 8 * 1024 * 1024
const MIN_OVERLAP_BYTES = 1024 * 1024
/** The number before `obj`. */
const NUMBER_BYTES = 24

/**
 * Calls `take` with each object of a file, wherever one starts: readers follow offsets, which may also point into strings and
 * streams. Returns false if not all were read: one is too long, or too many overlap.
 */
export async function readPdfObjects(
  source: RandomAccess,
  take: (object: PdfObject) => void,
): Promise<boolean> {
  const decoder = new TextDecoder('latin1')
  let overlapLeft = 4 * source.sizeBytes + MIN_OVERLAP_BYTES
  let [text, offset, retryAt, readBytes] = ['', 0, 0, 0]
  for await (const bytes of chunks(source)) {
    readBytes += bytes.length
    text += decoder.decode(bytes)
    const isLast = readBytes >= source.sizeBytes
    if (text.length < retryAt && !isLast) continue
    retryAt = 0
    let kept = Math.max(0, text.length - NUMBER_BYTES)
    let doneTo = 0
    for (let at = nextObject(text, 0); at !== -1; at = nextObject(text, at + 3)) {
      const object = new PdfObject(numberBefore(text, at))
      const end = object.read(text, at + 3, offset)
      // An object that goes on in the next chunk is read again, when there is twice as much of it.
      if (end === undefined && !isLast && text.length - at < MAX_OBJECT_BYTES) {
        kept = Math.max(0, at - NUMBER_BYTES)
        retryAt = Math.min(MAX_OBJECT_BYTES, 2 * (text.length - kept))
        break
      }
      take(object)
      if (end === undefined && !isLast && object.isDictionary && object.number > 0) return false
      const to = end ?? text.length
      if (at < doneTo) overlapLeft -= to - at
      if (overlapLeft < 0) return false
      doneTo = Math.max(doneTo, to)
    }
    offset += kept
    text = text.slice(kept)
  }
  return true
}

function nextObject(text: string, from: number): number {
  let at = text.indexOf('obj', from)
  while (at !== -1 && !followsNumber(text, at)) at = text.indexOf('obj', at + 3)
  return at
}

/** White space and comments may be in between. */
function followsNumber(text: string, at: number): boolean {
  return /\d[\0\s]*$|%[^\n\r]*[\n\r][\0\s]*$/.test(before(text, at))
}

function numberBefore(text: string, at: number): number {
  return Number(/(\d{1,10})\s+\d{1,5}\s*$/.exec(before(text, at))?.[1] ?? 0)
}

const before = (text: string, at: number): string => text.slice(Math.max(0, at - NUMBER_BYTES), at)
