import { TEXT } from '../file-types.ts'
import { copyOf } from '../platform/sources.ts'
import { type ContentFacts, typeByName } from './content-pass.ts'

/** What one pass over a plain text shows, without functions, so that a thread can post it. */
export type SentFacts = Omit<ContentFacts, 'format' | 'namedType' | 'whole'>

/** Undefined if the next steps need more than that: a structure to check, or files inside. */
export function sentFacts({
  format,
  namedType: _,
  whole: __,
  head,
  ...facts
}: ContentFacts): SentFacts | undefined {
  if (format !== TEXT || !facts.isCleanText || facts.parts.length > 0) return undefined
  // A copy, because a view would post the whole buffer behind it.
  return { ...facts, head: copyOf(head) }
}

export function receivedFacts(name: string, facts: SentFacts): ContentFacts {
  return { ...facts, format: TEXT, namedType: typeByName(name), whole: undefined }
}
