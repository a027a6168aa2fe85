import type { VerificationResult } from './api-types.generated.ts'
import { type CallOptions, endpoint } from './call.ts'
import { withRetries } from './retry.ts'
import { NO_TIMEOUT_MS, sendForJson, type Transport } from './transport.ts'

/** Uploads a kit for verification. The service stores nothing, so a retry is safe. */
export async function verifyKitUpload(
  transport: Transport,
  zip: Blob,
  { signal }: CallOptions = {},
): Promise<VerificationResult> {
  const headers = { 'content-type': 'application/zip' }
  const request = { ...endpoint('verifyKit', {}), headers, body: zip, signal }
  const untimed = { ...transport, timeoutMs: NO_TIMEOUT_MS }
  const { data } = await withRetries(transport.retry, transport.platform, signal, () =>
    sendForJson<VerificationResult>(untimed, request),
  )
  return data
}
