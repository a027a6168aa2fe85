import { suggestion } from '../arguments.ts'
import type { CommandTable } from '../command-line.ts'
import { EXIT, writeLines, type Terminal, usageError } from '../terminal.ts'

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

/** `kitseal admin`: commands for the operator of a service. */
export async function run(
  [name = '--help', ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (Object.hasOwn(ADMIN_COMMANDS, name)) return (await ADMIN_COMMANDS[name]![1]()).run(args, terminal)
  if (name === '--help' || name === '-h') {
    writeLines(terminal.stdout, [
      'usage: kitseal admin COMMAND …',
      '',
      ...Object.entries(ADMIN_COMMANDS).map(([command, [summary]]) => `  ${command.padEnd(12)} ${summary}`),
      '',
      'The service may be running. Its data: --data DIR, KITSEAL_DATA, or KITSEAL_DATABASE_URL.',
    ])
    return EXIT.ok
  }
  const problem = `unknown command ${JSON.stringify(name)}${suggestion(name, Object.keys(ADMIN_COMMANDS))}`
  return usageError(terminal, 'admin', [problem])
}

/** `kitseal serve`. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { serveCommand } = await import('@kitseal/server')
  return serveCommand('kitseal serve', args, terminal)
}
