import { utf8MarkBytes } from '../detect/text-encoding.ts'
import { HEAD_BYTES } from '../limits.ts'
import { NO_FINDINGS, type TextReport } from './text-check.ts'

const KNOWN = new Set('from to date subject received message-id mime-version return-path'.split(' '))

/** Checks that a text starts with the header of a message (RFC 5322), including some well-known fields. */
export function checkMailHeader(head: Uint8Array): TextReport {
  const lines = new TextDecoder('latin1').decode(head.subarray(utf8MarkBytes(head))).split(/\r?\n/)
  let [fields, known] = [0, 0]
  let hasEnded = head.length < HEAD_BYTES
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    if (line === '' && !isLast) {
      hasEnded = true
      break
    }
    if (index > 0 && /^[ \t]/.test(line)) continue
    const name = /^([!-9;-~]{1,76})[ \t]*:/.exec(line)?.[1]
    if (name === undefined) {
      // The mbox format starts with a "From " line; the last line may be incomplete.
      if (isLast || (index === 0 && line.startsWith('From '))) continue
      return malformed(`line ${index + 1} is not a header field`)
    }
    fields++
    if (KNOWN.has(name.toLowerCase())) known++
  }
  // Services add dozens of their own fields before the well-known ones.
  if (known >= 2 || (!hasEnded && fields > 0)) return NO_FINDINGS
  return malformed('it lacks From, Date and the other usual headers')
}

function malformed(detail: string): TextReport {
  return { findings: [{ code: 'malformed_eml', detail }], notes: [] }
}
