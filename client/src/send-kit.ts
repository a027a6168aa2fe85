import type { VerificationResult } from './api-types.generated.ts'
import { address, type CallOptions } from './call.ts'
import { withRetries } from './retry.ts'
import { NO_LIMIT_MS, sendForJson, type Transport } from './transport.ts'

/** Sends a kit to be verified: nothing is kept of it, so that it can be sent again after a cut connection. */
export async function sendKit(
  transport: Transport,
  zip: Blob,
  { signal }: CallOptions = {},
): Promise<VerificationResult> {
  const headers = { 'content-type': 'application/zip' }
  const request = { ...address('verifyKit', {}), headers, body: zip, signal }
  const patient = { ...transport, timeoutMs: NO_LIMIT_MS }
  const { answer } = await withRetries(transport.retry, transport.surroundings, signal, () =>
    sendForJson<VerificationResult>(patient, request),
  )
  return answer
}
