import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { keySource } from '../service-settings.ts'
import { printable } from '../terminal.ts'

const HELP = `usage: kitseal whoami [--url URL] [--json]

Shows which service, workspace and API key the other commands use, and what the key may do.

${SERVICE_HELP}

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal whoami`. */
export const run = serviceCommand('whoami', HELP, {
  arguments: [],
  read:
    () =>
    async ({ client, signal, url, terminal }) => {
      const me = await client.me({ signal })
      const { actor } = me
      return {
        json: { url, ...me },
        out: [
          `service    ${url}, ${keySource(terminal, url)}`,
          `workspace  ${me.workspace_id}  ${me.workspace_name}`,
          `${actor.type.padEnd(10)} ${actor.id}  ${actor.name}`,
          `may        ${me.scopes?.join(', ') ?? me.role ?? ''}`,
          `expires    ${me.expires_at ?? 'never'}`,
          `plan       ${me.plan.name}`,
        ].map(printable),
      }
    },
})
