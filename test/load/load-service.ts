import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkedClient } from '../kit/http.ts'
import { type ServiceProcess, serviceProcess } from '../kit/service-process.ts'
import { form, type WorkspaceClient, workspaceClient } from '../kit/workspace.ts'
import type { Target } from './attacks.ts'

/** A running service with the workspaces of an attacker and of another customer. */
export interface LoadService extends AsyncDisposable {
  readonly service: ServiceProcess
  readonly attacker: Target
  readonly other: WorkspaceClient
  /** What the other customer requests meanwhile. */
  readonly paths: readonly string[]
}

const WAITING = 100
const KIT_BYTES = 8 * 1024 * 1024

export async function startLoadService(): Promise<LoadService> {
  const data = mkdtempSync(path.join(tmpdir(), 'kitseal-load-'))
  // Default limits.
  const service = await serviceProcess({
    KITSEAL_DATA: data,
    KITSEAL_LOG_LEVEL: 'error',
    KITSEAL_RATE_LIMIT: 'intake=120,verify=1200',
  })
  const place = { dataFolder: data, call: checkedClient(service.base) }
  const bad = await workspaceClient(place, { credits: 100 })
  const other = await workspaceClient(place, { credits: 100_000 })
  const kit = await issued(bad, 'a'.repeat(KIT_BYTES))
  const own = await issued(other, 'evidence of the other customer')
  return {
    service,
    other,
    attacker: {
      base: service.base,
      key: bad.key,
      submissionIds: await Promise.all(Array.from({ length: WAITING }, () => bad.submission())),
      kitPath: `/v1/kits/${kit.kitId}/download`,
    },
    paths: [
      `/v1/submissions/${own.id}`,
      `/v1/kits/${own.kitId}/receipt`,
      `/v1/submissions/${own.id}/deliverables`,
    ],
    [Symbol.asyncDispose]: async () => {
      await service.end('SIGTERM')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

export async function issued(
  client: WorkspaceClient,
  text: string,
): Promise<{ readonly id: string; readonly kitId: string }> {
  const id = await client.submission()
  await client.upload(id, form({ 'a.txt': text }))
  return { id, kitId: String((await client.ended(id))['kit_id']) }
}
