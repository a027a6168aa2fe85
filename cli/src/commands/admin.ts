import { suggestion } from '../arguments.ts'
import type { CommandTable } from '../command.ts'
import { EXIT, writeLines, type Terminal, usageError } from '../terminal.ts'

export const ADMIN_COMMANDS: CommandTable = {
  'signing-key': {
    summary: 'list, rotate, retire or revoke the keys that sign receipts',
    load: () => import('./admin-signing-key.ts'),
  },
  workspace: {
    summary: 'create, list, show or update workspaces',
    load: () => import('./admin-workspace.ts'),
  },
  key: {
    summary: 'create, list, rotate or revoke API keys',
    load: () => import('./admin-key.ts'),
  },
  invite: {
    summary: 'create a one-time invitation link to the console',
    load: () => import('./admin-invite.ts'),
  },
  credits: {
    summary: 'grant credits to a workspace, or show them',
    load: () => import('./admin-credits.ts'),
  },
  plan: {
    summary: 'create, list, show or update plans (limits and API access)',
    load: () => import('./admin-plan.ts'),
  },
  migrate: {
    summary: 'migrate the database to this release, or check whether it is current',
    load: () => import('./admin-migrate.ts'),
  },
  log: {
    summary: 'show, resume, recover or export the transparency log',
    load: () => import('./admin-log.ts'),
  },
  scrub: {
    summary: 'hash every stored object again and report missing or damaged ones',
    load: () => import('./admin-scrub.ts'),
  },
  backup: {
    summary: 'write a backup to a folder while the service runs',
    load: () => import('./admin-backup.ts'),
  },
  restore: {
    summary: 'restore a backup into an empty store',
    load: () => import('./admin-restore.ts'),
  },
  move: {
    summary: 'move an embedded store to PostgreSQL and S3',
    load: () => import('./admin-move.ts'),
  },
}

/** `kitseal admin`: commands for the operator of a service. */
export async function run(
  [name = '--help', ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (Object.hasOwn(ADMIN_COMMANDS, name))
    return (await ADMIN_COMMANDS[name]!.load()).run(args, terminal, ADMIN_COMMANDS)
  if (name === '--help' || name === '-h') {
    writeLines(terminal.stdout, [
      'usage: kitseal admin COMMAND …',
      '',
      ...Object.entries(ADMIN_COMMANDS).map(([command, { summary }]) => `  ${command.padEnd(12)} ${summary}`),
      '',
      'The service may be running. Its data: --data DIR, KITSEAL_DATA, or KITSEAL_DATABASE_URL.',
    ])
    return EXIT.ok
  }
  const problem = `unknown command ${JSON.stringify(name)}${suggestion(name, Object.keys(ADMIN_COMMANDS))}`
  return usageError(terminal, 'admin', [problem])
}
