import { NotVerifiedError } from '@kitseal/client'
import type { VerificationReport } from '@kitseal/kit'
import { downloadTrust, type DownloadTrust } from './download-trust.ts'
import { downloadSink } from './download-sink.ts'
import type { TrustedKeys } from './trusted-keys.ts'
import type { ServiceCall } from './service-call.ts'
import { transferProgress } from './transfer-progress.ts'

/** Downloads a kit to a file and verifies it. If the report is FAIL, the file is not kept. */
export async function fetchKit(
  call: ServiceCall,
  { kitId, path, keys }: { readonly kitId: string; readonly path: string; readonly keys: TrustedKeys },
): Promise<{ readonly report: VerificationReport; readonly trust: DownloadTrust }> {
  const trust = await downloadTrust(keys, kitId, call)
  const progress = transferProgress(call.terminal, 'downloading')
  try {
    const { report } = await call.client.downloadKit(kitId, {
      trust: trust.trust,
      signal: call.signal,
      into: downloadSink(path),
      onProgress: progress.at,
    })
    return { report, trust }
  } catch (error) {
    if (!(error instanceof NotVerifiedError)) throw error
    return { report: error.report, trust }
  } finally {
    progress.clear()
  }
}
