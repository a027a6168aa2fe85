import { formatBytes } from '@kitseal/kit/internal'
import type { GatheredFile } from './gather-evidence.ts'
import { isUnencrypted } from './issuer-url.ts'
import { knownApiKey, serviceUrl } from './service-settings.ts'
import type { Terminal } from './terminal.ts'

const TIMEOUT_MS = 3000

/** The upload limit of the plan at the service that the user is logged in to. Undefined if it is not known now. */
export async function knownPlanLimit(terminal: Terminal): Promise<number | undefined> {
  const url = serviceUrl(undefined, terminal)
  const apiKey = knownApiKey(terminal, url)
  if (apiKey === undefined || isUnencrypted(url)) return undefined
  const { createClient } = await import('@kitseal/client')
  const client = createClient({ baseUrl: url, apiKey, timeoutMs: TIMEOUT_MS, retry: { attempts: 1 } })
  return client.me().then(
    ({ plan }) => plan.upload_limit_bytes,
    () => undefined,
  )
}

/** Undefined if the files are within the limit. */
export function tooLarge(
  files: readonly GatheredFile[],
  limitBytes: number,
  whose = 'Your plan allows',
): string | undefined {
  const sizeBytes = totalBytes(files)
  if (sizeBytes <= limitBytes) return undefined
  return `The upload is ${formatBytes(sizeBytes)}. ${whose} ${formatBytes(limitBytes)} for a submission.`
}

export const totalBytes = (files: readonly GatheredFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
