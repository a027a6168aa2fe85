import { suggestion } from '../arguments.ts'
import type { Command } from '../main.ts'
import { EXIT, lines, type Terminal, usageError } from '../terminal.ts'

export const AREAS: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
> = {
  'signing-key': {
    summary: 'list, rotate, retire or revoke the keys that sign receipts',
    load: () => import('./admin-signing-key.ts'),
  },
  workspace: {
    summary: 'create, list, show or update the workspaces that keys belong to',
    load: () => import('./admin-workspace.ts'),
  },
  key: {
    summary: 'create, list, rotate or revoke API keys',
    load: () => import('./admin-key.ts'),
  },
  invite: {
    summary: 'make a one-time link into the console for a person',
    load: () => import('./admin-invite.ts'),
  },
  credits: {
    summary: 'grant credits to a workspace',
    load: () => import('./admin-credits.ts'),
  },
  plan: {
    summary: 'create, list, show or update plans: access and limits',
    load: () => import('./admin-plan.ts'),
  },
  migrate: {
    summary: 'bring the database to the form of this release, or tell whether it is',
    load: () => import('./admin-migrate.ts'),
  },
  scrub: {
    summary: 'read and hash everything stored again, and name what is missing or damaged',
    load: () => import('./admin-scrub.ts'),
  },
  backup: {
    summary: 'write a backup into a folder while the service runs',
    load: () => import('./admin-backup.ts'),
  },
  restore: {
    summary: 'fill an empty store from a backup',
    load: () => import('./admin-restore.ts'),
  },
  move: {
    summary: 'move an embedded store to PostgreSQL and S3',
    load: () => import('./admin-move.ts'),
  },
}

/** `kitseal admin AREA …`: what an operator does beside a running service. */
export async function run(
  [area = '--help', ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (Object.hasOwn(AREAS, area)) return (await AREAS[area]!.load()).run(args, terminal)
  if (area === '--help' || area === '-h') {
    lines(terminal.stdout, [
      'usage: kitseal admin AREA …',
      '',
      ...Object.entries(AREAS).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`),
      '',
      'Each works beside a running service, on the same data: --data DIR, KITSEAL_DATA, or KITSEAL_DATABASE_URL.',
    ])
    return EXIT.ok
  }
  const problem = `there is no ${JSON.stringify(area)}${suggestion(area, Object.keys(AREAS))}`
  return usageError(terminal, 'admin', [problem])
}
