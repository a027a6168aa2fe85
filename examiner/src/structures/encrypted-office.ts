import { viewOf } from '../platform/sources.ts'
import type { CompoundDirectory, CompoundEntry } from './compound-directory.ts'

const HEAD_BYTES = 64 * 1024
/** The size of the package comes before it. */
const SIZE_BYTES = 8

/** The two streams of an encrypted package, by their names. */
export function encryptionStreams({ entries }: CompoundDirectory) {
  const named = (wanted: string): CompoundEntry | undefined =>
    entries.find(({ name }) => name.toLowerCase() === wanted)
  return { info: named('encryptioninfo'), package: named('encryptedpackage') }
}

/** Whether the package of an Office file is encrypted ([MS-OFFCRYPTO] 2.3). A stream of that name alone says nothing. */
export async function isEncryptedPackage(directory: CompoundDirectory): Promise<boolean> {
  const streams = encryptionStreams(directory)
  if (streams.info === undefined || streams.package === undefined) return false
  const info = await directory.readStart(streams.info, HEAD_BYTES)
  const content = await directory.readStart(streams.package, 4096)
  if (info.length < 8 || content.length < SIZE_BYTES + 16) return false
  const [major, minor] = [viewOf(info).getUint16(0, true), viewOf(info).getUint16(2, true)]
  const isAgile = major === 4 && minor === 4 && new TextDecoder('latin1').decode(info).includes('<encryption')
  const isOther = major >= 2 && major <= 4 && (minor === 2 || minor === 3) && info.length >= 44
  return (isAgile || isOther) && isRandom(content.subarray(SIZE_BYTES))
}

/** Encrypted bytes are spread evenly; a document or a program starts with many equal ones, or with letters. */
function isRandom(bytes: Uint8Array): boolean {
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
  return counts.every((count) => count <= 4 + bytes.length / 32)
}
