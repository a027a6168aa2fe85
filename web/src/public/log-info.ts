import type { LogInfo } from '@kitseal/client/console'
import {
  type CheckpointStatus,
  type LogPolicy,
  parseCheckpoint,
  parsePolicy,
  type SignedCheckpoint,
  utf8,
  verifyCheckpoint,
  webHost,
} from '@kitseal/kit/internal'
import { fetchHere, fetchJson } from '../core/fetch-json.ts'
import { t } from '../core/texts.ts'
import { fetchServiceInfo } from '../verify/published-keys.ts'

/** The log of this service: what it publishes, checked in this browser, and how it grew. */
export interface PublishedLog extends LogInfo {
  readonly issuer: string
  readonly checkpoint: SignedCheckpoint
  readonly policy: LogPolicy
  readonly status: CheckpointStatus
}

export async function fetchLog(): Promise<PublishedLog> {
  const [{ issuer }, info, checkpointText, policyText] = await Promise.all([
    fetchServiceInfo(),
    fetchJson<LogInfo>('/console/api/public/log'),
    fetchText('/log/checkpoint'),
    fetchText('/log/policy'),
  ])
  try {
    const checkpoint = parseCheckpoint(checkpointText)
    const policy = parsePolicy(policyText, webHost.digest)
    const status = await verifyCheckpoint(checkpoint, policy, webHost)
    return { ...info, checkpoint, policy, status, issuer }
  } catch (error) {
    throw new Error(t('problem.unexpected'), { cause: error })
  }
}

/** Empty if it cannot be fetched, which is neither a checkpoint nor a policy. */
const fetchText = async (path: string): Promise<Uint8Array> =>
  utf8(
    await fetchHere(path)
      .then((answer) => answer.text())
      .catch(() => ''),
  )
