import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { NO_TRUST, type Trust, type VerificationReport } from '@kitseal/kit'
import type { Service } from '@kitseal/server'
import { ANN, type DemoWorld } from '../demo-world.ts'
import { changeOneByte } from '../sample-evidence.ts'

export interface DemoService extends AsyncDisposable {
  readonly service: Service
  /** A link that signs Ann in. Works once. */
  readonly signInLink: () => Promise<string>
}

/** Starts an empty service on a free port of this machine. */
export async function startDemoService(dataFolder: string): Promise<DemoService> {
  const { openAdministration, readConfig, startService } = await import('@kitseal/server')
  const config = readConfig({
    KITSEAL_DATA: dataFolder,
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: 'off',
    KITSEAL_LOG_LEVEL: 'silent',
  })
  if (!config.ok) throw new Error(config.problems.join(' '))
  const service = await startService(config.value, { log: { write: () => true } })
  return {
    service,
    // What "kitseal admin invite" does for someone who is a member already.
    signInLink: async () => {
      await using administration = await openAdministration(config.value)
      const [workspace] = await administration.workspaces.list()
      if (workspace === undefined) throw new Error('there is no workspace')
      const invited = { workspaceId: workspace.workspace_id, email: ANN.email, role: 'owner' } as const
      const { token } = await administration.invitations.invite(invited, { is: 'operator' })
      return administration.consoleLink(token, service.issuer)
    },
    [Symbol.asyncDispose]: () => service.stop(),
  }
}

export interface SavedKits {
  readonly path: string
  /** A copy in which one byte is different. */
  readonly changed: string
  readonly trust: Trust
  readonly report: VerificationReport
}

/** Saves the kit of the finished quarter, and a changed copy of it. */
export async function saveKits(
  service: Service,
  { kitId, period }: DemoWorld,
  folder: string,
  signal: AbortSignal,
): Promise<SavedKits> {
  const client = createClient({ baseUrl: service.address, apiKey: service.firstApiKey })
  // The trusted key must not come from the kit. Here it comes from the operator of the service.
  const trust: Trust = { ...NO_TRUST, kids: [(await service.signingKeys.activeSigner()).kid] }
  const path = join(folder, `controls-${period}.zip`)
  const { report } = await client.downloadKit(kitId, { trust, signal, into: fileSink(path) })
  const changed = join(folder, `controls-${period}-changed.zip`)
  await writeFile(changed, changeOneByte(await readFile(path)))
  return { path, changed, trust, report }
}
