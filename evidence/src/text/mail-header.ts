import { HEAD_BYTES } from '../limits.ts'
import { utf8MarkBytes } from './text-bytes.ts'
import { NOTHING_FOUND, type TextReport } from './text-check.ts'

const KNOWN = new Set([
  'from',
  'to',
  'date',
  'subject',
  'received',
  'message-id',
  'mime-version',
  'return-path',
])

/** Whether a text begins like a message (RFC 5322): header fields, some of them those that every message has. */
export function mailReport(head: Uint8Array): TextReport {
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
      // The mbox form starts with a line of its own; the last line may be cut by the end of what was read.
      if (isLast || (index === 0 && line.startsWith('From '))) continue
      return {
        findings: [{ code: 'malformed_eml', seen: `line ${index + 1} is not a header field` }],
        notes: [],
      }
    }
    fields++
    if (KNOWN.has(name.toLowerCase())) known++
  }
  // Services put dozens of fields of their own before those that everyone knows.
  if (known >= 2 || (!hasEnded && fields > 0)) return NOTHING_FOUND
  return {
    findings: [{ code: 'malformed_eml', seen: 'it lacks From, Date and the other usual headers' }],
    notes: [],
  }
}
