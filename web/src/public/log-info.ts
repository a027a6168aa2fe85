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
} from '@kitseal/kit'
import { type Fetched, fetchJson } from '../fetch-json.ts'
import { texts } from '../texts/index.ts'
import { fetchServiceInfo } from './service-info.ts'

/** The log of this service: what it publishes, checked in this browser, and how it grew. */
export interface PublishedLog extends LogInfo {
  readonly issuer: string
  readonly checkpoint: SignedCheckpoint
  readonly policy: LogPolicy
  readonly status: CheckpointStatus
}

export async function fetchLog(): Promise<Fetched<PublishedLog>> {
  const [service, info, checkpoint, policy] = await Promise.all([
    fetchServiceInfo(),
    fetchJson<LogInfo>('/console/api/public/log'),
    fetchText('/log/checkpoint'),
    fetchText('/log/policy'),
  ])
  if (!service.ok) return service
  if (!info.ok) return info
  try {
    const parsed = { checkpoint: parseCheckpoint(checkpoint), policy: parsePolicy(policy, webHost.digest) }
    const status = await verifyCheckpoint(parsed.checkpoint, parsed.policy, webHost)
    return { ok: true, value: { ...info.value, ...parsed, status, issuer: service.value.issuer } }
  } catch {
    return { ok: false, status: 200, code: 'unexpected', message: texts.problem.unexpected }
  }
}

/** Empty if it cannot be fetched, which is neither a checkpoint nor a policy. */
async function fetchText(path: string): Promise<Uint8Array> {
  try {
    const answer = await fetch(path)
    return utf8(answer.ok ? await answer.text() : '')
  } catch {
    return utf8('')
  }
}
