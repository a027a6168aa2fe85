import { type CommandTable, type Run, subcommands } from '../command-line.ts'
import type { Terminal } from '../terminal.ts'

const people = (name: 'runInvite' | 'operator') => async () => ({
  run: (await import('./admin-people.ts'))[name],
})
const store = (name: 'scrub' | 'backup' | 'restore' | 'move') => async () => ({
  run: (await import('./admin-store.ts'))[name],
})

export const ADMIN_COMMANDS: CommandTable = {
  status: [
    'show checks, nodes, storage, queue, mail, backup, keys, log and operators',
    () => import('./admin-status.ts'),
  ],
  'signing-key': [
    'list, rotate, retire, revoke or import the keys that sign receipts',
    () => import('./admin-signing-key.ts'),
  ],
  workspace: [
    'create, list or change workspaces, with their plans and credits',
    () => import('./admin-workspace.ts'),
  ],
  key: ['create, list, rotate, extend or revoke API keys', () => import('./admin-key.ts')],
  invite: ['create a one-time invitation link to the console', people('runInvite')],
  operator: ['add or remove people who look after the service', people('operator')],
  log: ['show, repair or export the transparency log', () => import('./admin-log.ts')],
  scrub: ['hash every stored object again and report missing or damaged ones', store('scrub')],
  backup: ['write a backup to a folder while the service runs', store('backup')],
  restore: ['restore a backup into an empty store', store('restore')],
  move: ['move everything to another database and object store', store('move')],
}

const HELP = `usage: kitseal admin COMMAND …

${Object.entries(ADMIN_COMMANDS)
  .map(([command, [summary]]) => `  ${command.padEnd(12)} ${summary}`)
  .join('\n')}

The service may be running. Its data: --data DIR, KITSEAL_DATA, or KITSEAL_DATABASE_URL.`

const runs = Object.entries(ADMIN_COMMANDS).map(([name, [, load]]): readonly [string, Run] => [
  name,
  async (args, terminal) => (await load()).run(args, terminal),
])

/** `kitseal admin`: commands for the operator of a service. */
export const run = subcommands('admin', HELP, Object.fromEntries(runs))

/** `kitseal serve`. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { serveCommand } = await import('@kitseal/server')
  return serveCommand('kitseal serve', args, terminal)
}
