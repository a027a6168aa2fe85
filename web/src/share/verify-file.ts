import {
  hex,
  type JsonValue,
  NO_TRUST,
  type VerificationReport,
  verifyFileProof,
  webHost,
} from '@kitseal/kit'
import { fetchJson, refusalOf } from '../fetch-json.ts'
import type { PublishedKeys } from '../verify/published-keys.ts'
import { chunksOf } from './read-all.ts'
import type { SharedFile } from './shared-kit.ts'

/** Hashes one file and verifies its file proof, with the keys that this service publishes. */
export async function verifyFile(
  base: string,
  file: SharedFile,
  { keys }: PublishedKeys,
  signal: AbortSignal,
): Promise<VerificationReport> {
  const proof = await fetchJson<JsonValue>(`${base}/${file.proof}`, { signal })
  if (!proof.ok) throw new Error(proof.message)
  const response = await fetch(`${base}/view/${file.download}`, { credentials: 'same-origin', signal })
  if (!response.ok) throw new Error(refusalOf(await response.json().catch(() => undefined)).message)
  const hash = webHost.sha256()
  let sizeBytes = 0
  if (response.body !== null)
    for await (const chunk of chunksOf(response.body)) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
  const measured = { sha256: hex(await hash.digest()), sizeBytes }
  return verifyFileProof(proof.value, measured, { ...NO_TRUST, keySets: [keys] }, webHost)
}
