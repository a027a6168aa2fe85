import { verifySignature } from '../crypto/ed25519.ts'
import { utf8 } from '../encoding/utf8.ts'
import type { Host } from '../host.ts'
import type { NoteKey } from './note-key.ts'

/**
 * What a witness signs (C2SP tlog-cosignature, type 0x04): at this time, this was the largest tree of the log that it
 * had seen.
 */
export function cosignedMessage(checkpointText: string, time: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${checkpointText}`)
}

/** The bytes of a cosignature in a note: the time in seconds, then the Ed25519 signature. */
export function cosignatureBytes(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + signature.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time))
  bytes.set(signature, 8)
  return bytes
}

/** The time of a valid cosignature, in seconds; undefined for any other. */
export async function verifyCosignature(
  key: NoteKey,
  checkpointText: string,
  cosignature: Uint8Array,
  host: Host,
): Promise<number | undefined> {
  if (cosignature.length !== 72) return undefined
  const seconds = new DataView(cosignature.buffer, cosignature.byteOffset).getBigUint64(0)
  const time = Number(seconds)
  // A witness never states the time 0.
  if (time === 0 || seconds > Number.MAX_SAFE_INTEGER) return undefined
  const message = cosignedMessage(checkpointText, time)
  const { valid } = await verifySignature(key.publicKey, message, cosignature.subarray(8), host)
  return valid ? time : undefined
}
