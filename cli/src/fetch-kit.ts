import { NotVerifiedError } from '@kitseal/client'
import type { VerificationReport } from '@kitseal/kit'
import { downloadTrust, type DownloadTrust } from './download-trust.ts'
import { keptFile } from './kept-file.ts'
import type { ReadersKeys } from './readers-keys.ts'
import type { ServiceCall } from './service-call.ts'
import type { Terminal } from './terminal.ts'
import { transferProgress } from './transfer-progress.ts'

/** Fetches a kit into a file and verifies it there. Where the report is a FAIL, nothing was kept. */
export async function fetchKit(
  call: ServiceCall,
  { kitId, path, keys }: { readonly kitId: string; readonly path: string; readonly keys: ReadersKeys },
  terminal: Terminal,
): Promise<{ readonly report: VerificationReport; readonly trust: DownloadTrust }> {
  const trust = await downloadTrust(keys, kitId, call)
  const progress = transferProgress(terminal, 'fetching')
  try {
    const { report } = await call.client.downloadKit(kitId, {
      trust: trust.trust,
      signal: call.signal,
      into: keptFile(path),
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
