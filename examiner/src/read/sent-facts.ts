import { TEXT } from '../file-types.ts'
import { copyOf } from '../platform/sources.ts'
import { type ContentFacts, typeByName } from './content-pass.ts'

/** What one pass over a plain text shows, without functions, so that a thread can post it. */
export type SentFacts = Omit<ContentFacts, 'format' | 'namedType' | 'whole'>

/** Undefined if the next steps need more than that: a structure to check, or files inside. */
export function sentFacts(facts: ContentFacts): SentFacts | undefined {
  if (facts.format !== TEXT || !facts.isCleanText || facts.parts.length > 0) return undefined
  const { format: _format, namedType: _type, whole: _whole, ...sent } = facts
  // A copy, because a view would post the whole buffer behind it.
  return { ...sent, head: copyOf(sent.head) }
}

export function receivedFacts(name: string, facts: SentFacts): ContentFacts {
  return { ...facts, format: TEXT, namedType: typeByName(name), whole: undefined }
}
