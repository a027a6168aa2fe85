import { verifySignature } from '../crypto/ed25519.ts'
import { utf8 } from '../encoding/utf8.ts'
import type { Host } from '../host.ts'
import type { NoteKey } from './note-key.ts'

/**
 * What a witness signs (C2SP tlog-cosignature, type 0x04): at this time, this was the largest tree of the log that it
 * had seen.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { cosignedMessage, fromUtf8 } from '@kitseal/kit'
 *
 * assert.equal(fromUtf8(cosignedMessage('origin\n…', 1679315147)), 'cosignature/v1\ntime 1679315147\norigin\n…')
 * ```
 */
export function cosignedMessage(checkpointText: string, time: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${checkpointText}`)
}

/**
 * The bytes of a cosignature in a note: the time in seconds, then the Ed25519 signature.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { cosignatureBytes } from '@kitseal/kit'
 *
 * assert.equal(cosignatureBytes(1679315147, new Uint8Array(64)).length, 72)
 * ```
 */
export function cosignatureBytes(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + signature.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time))
  bytes.set(signature, 8)
  return bytes
}

/**
 * The time of a valid cosignature, in seconds; undefined for any other.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { cosignatureBytes, cosignedMessage, fromBase64url, noteKey, verifyCosignature } from '@kitseal/kit'
 * import { nodeHost, readPrivateKey } from '@kitseal/kit/node'
 *
 * const signer = readPrivateKey('issuer.key')
 * const key = noteKey('witness.example', 0x04, fromBase64url(signer.x)!, nodeHost.digest)
 * const signature = await signer.sign(cosignedMessage('checkpoint\n', 1679315147))
 * const bytes = cosignatureBytes(1679315147, signature)
 * assert.equal(await verifyCosignature(key, 'checkpoint\n', bytes, nodeHost), 1679315147)
 * ```
 */
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
