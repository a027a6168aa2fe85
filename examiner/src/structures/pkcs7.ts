import type { ExamineContext } from '../examine-context.ts'
import { endingOf } from '../detect/file-endings.ts'
import { bytesAt } from '../platform/sources.ts'
import { type CmsContent, readCms } from './cms.ts'
import { inflated } from './inflate-damaged.ts'
import { bytesFile } from './inner-files.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

/** The object IDs of PKCS#7 (1.2.840.113549.1.7) and of S/MIME (1.2.840.113549.1.9.16.1), without the last number. */
const PREFIXES = [
  [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07],
  [0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01],
]
const ENCRYPTED = new Set(['010703', '010704', '010706', '0109100117'].map((last) => `2a864886f70d${last}`))
const COMPRESSED = '2a864886f70d0109100109'
const TIME_STAMP = '2a864886f70d0109100104'
const MAX_BYTES = 64 * 1024 * 1024

/** A SEQUENCE that starts with an object ID of PKCS#7 or S/MIME. */
export function isPkcs7(head: Uint8Array): boolean {
  const header = sequenceHeader(head)
  if (header === undefined) return false
  return PREFIXES.some((prefix) => prefix.every((byte, index) => head[header.bytes + index] === byte))
}

/** Whether all of a PKCS#7 file (CMS) is there, and the file or message that it signs or encrypts. */
export async function checkPkcs7(file: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const { source } = file
  const structure = await checkLength(file)
  const cms = readCms(await bytesAt(source, 0, MAX_BYTES))
  if (cms === undefined) return structure
  if (ENCRYPTED.has(cms.type))
    return { ...structure, findings: [...structure.findings, { code: 'encrypted_content' }] }
  const content = wrappedFile(cms)
  if (content === undefined) return structure
  const findings = [...structure.findings]
  if (source.sizeBytes > MAX_BYTES || content.length >= MAX_BYTES)
    findings.push({ code: 'partly_examined', detail: 'what it signs is too large' })
  const limit = ctx.budget.admit(0, content.length, source.sizeBytes)
  if (limit !== undefined) return { ...structure, findings: [...findings, limit] }
  return { ...structure, findings, inner: [bytesFile(nameOf(file.name, content), 'attachment', content)] }
}

/** A time stamp is a token of its own, not a file. */
function wrappedFile({ type, innerType, content }: CmsContent): Uint8Array | undefined {
  if (content === undefined || content.length === 0 || innerType === TIME_STAMP) return undefined
  return type === COMPRESSED ? inflated(content, MAX_BYTES) : content
}

/** `report.pdf.p7m` signs a file of that name, and `smime.p7m` a message. */
function nameOf(outer: string, content: Uint8Array): string {
  const name = outer.replace(/^.*\//, '').replace(/\.(?:p7[mszc]|spc)$/i, '')
  if (endingOf(name) !== undefined) return name
  const start = new TextDecoder('latin1').decode(content.subarray(0, 200))
  return /^\s*[!-9;-~]{1,76}[ \t]*:/.test(start) ? 'content.eml' : 'content'
}

async function checkLength({ source }: FileToCheck): Promise<Structure> {
  const header = sequenceHeader(await bytesAt(source, 0, 16))
  if (header === undefined) return broken('malformed_signature', 'it does not start with a sequence')
  if (header.content === undefined) {
    const tail = await bytesAt(source, source.sizeBytes - 2, 2)
    return tail.every((byte) => byte === 0) ? SOUND : TRUNCATED
  }
  const after = source.sizeBytes - header.bytes - header.content
  if (after < 0) return TRUNCATED
  return after === 0 ? SOUND : { findings: [], notes: [`${after} bytes follow the signature`] }
}

const TRUNCATED = broken('malformed_signature', 'it is truncated')

interface SequenceHeader {
  readonly bytes: number
  /** Undefined if the content ends with a mark of two zeros (BER), as mail programs write it. */
  readonly content: number | undefined
}

function sequenceHeader(head: Uint8Array): SequenceHeader | undefined {
  const [tag, first = 0] = head
  if (tag !== 0x30) return undefined
  if (first < 0x80) return { bytes: 2, content: first }
  if (first === 0x80) return { bytes: 2, content: undefined }
  const count = first & 0x7f
  if (count > 6 || head.length < 2 + count) return undefined
  return { bytes: 2 + count, content: head.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0) }
}
