import { bytesAt } from '../platform/sources.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

/** pkcs-7 in hex, without the last number: 1.2.840.113549.1.7. */
const PKCS7 = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]

/** A SEQUENCE that starts with an object ID of PKCS#7. */
export function isPkcs7(head: Uint8Array): boolean {
  const header = sequenceHeader(head)
  return header !== undefined && PKCS7.every((byte, index) => head[header.bytes + index] === byte)
}

/** Whether all of a PKCS#7 file (CMS) is there. What it signs or encrypts is not looked into. */
export async function checkPkcs7({ source }: FileToCheck): Promise<Structure> {
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
