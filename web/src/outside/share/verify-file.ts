import {
  hex,
  type JsonValue,
  NO_TRUST,
  type VerificationReport,
  verifyFileProof,
  webHost,
} from '@kitseal/kit/internal'
import { fetchHere, fetchJson } from '../../core/fetch-json.ts'
import type { PublishedKeys } from '../../verify/published-keys.ts'
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
  const response = await fetchHere(`${base}/view/${file.download}`, { signal })
  const hash = webHost.sha256()
  let sizeBytes = 0
  for await (const chunk of chunksOf(response)) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  const measured = { sha256: hex(await hash.digest()), sizeBytes }
  return verifyFileProof(proof, measured, { ...NO_TRUST, keySets: [keys] }, webHost)
}
