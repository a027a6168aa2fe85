import { suggestion } from './arguments.ts'
import type { CommandTable } from './command-line.ts'
import { reportInputError } from './input-error.ts'
import { EXIT, writeLines, printable, type Terminal } from './terminal.ts'
import { withProxy } from './use-proxy.ts'

export const COMMANDS: CommandTable = {
  demo: ['look around in a small finished world, and break a kit', () => import('./commands/demo.ts')],
  login: [
    'store the API key of a service, and pin its keys; show which is used',
    () => import('./commands/login.ts'),
  ],
  logout: ['delete the stored API key', async () => ({ run: (await import('./commands/login.ts')).logout })],
  submit: ['upload evidence and download the kit', () => import('./commands/submit.ts')],
  run: ['run a collector, and seal what it prints and writes', () => import('./commands/run.ts')],
  check: ['check evidence before uploading it, offline', () => import('./commands/check.ts')],
  status: ['show a submission, or list recent ones', () => import('./commands/status.ts')],
  get: ['download and verify a kit, or download a report', () => import('./commands/get.ts')],
  reissue: ['replace a kit whose signing key was revoked', () => import('./commands/reissue.ts')],
  share: ['share kits by a link, list and revoke shares', () => import('./commands/share.ts')],
  verify: ['verify a kit, offline', () => import('./commands/verify.ts')],
  export: ['export a kit as COSE, in-toto or OSCAL', () => import('./commands/export.ts')],
  prove: ['prove that a file is in a kit', () => import('./commands/prove.ts')],
  trust: ['pin the keys and logs of issuers you trust', () => import('./commands/trust.ts')],
  audit: ['export and verify the audit log', () => import('./commands/audit.ts')],
  events: [
    'print what happened in the workspace, follow or forward it',
    () => import('./commands/events.ts'),
  ],
  api: ['call any operation of the API', () => import('./commands/api.ts')],
  monitor: ['watch the transparency log of an issuer', () => import('./commands/monitor.ts')],
  diff: ['compare two kits', () => import('./commands/diff.ts')],
  mcp: ['let an assistant check, verify and find evidence', () => import('./commands/mcp.ts')],
  seal: ['make a kit from a folder, without a service', () => import('./commands/seal.ts')],
  keygen: ['create a signing key for seal', () => import('./commands/keygen.ts')],
  serve: ['run the service', async () => ({ run: (await import('./commands/admin.ts')).serve })],
  admin: ['manage the service: workspaces, keys, credits, backups', () => import('./commands/admin.ts')],
}

/** Runs a command line and returns its exit code. */
export async function main(argv: readonly string[], terminal: Terminal = process): Promise<number> {
  const [name = 'help', ...args] = argv
  if (name === 'help' || name === '--help' || name === '-h') return help(args, terminal)
  if (name === '--version' || name === '-V') return version(terminal)
  const row = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (row === undefined) {
    const known = [...Object.keys(COMMANDS), '--help', '--version']
    writeLines(terminal.stderr, [
      printable(`kitseal: unknown command ${JSON.stringify(name)}${suggestion(name, known)}`),
      'See "kitseal --help".',
    ])
    return EXIT.usage
  }
  const run = async (): Promise<number> => (await row[1]()).run(args, terminal)
  try {
    return await (WITHOUT_PROXY.has(name) ? run() : withProxy(terminal.env, run))
  } catch (error) {
    return reportInputError(error, name, terminal, args.includes('--json'))
  }
}

/** What the help shows first. */
const EVERYDAY: ReadonlySet<string> = new Set(
  'demo login submit check status get share verify trust seal serve'.split(' '),
)

/** Servers check the addresses that they connect to, which a proxy would hide. */
const WITHOUT_PROXY: ReadonlySet<string> = new Set(['admin', 'demo', 'serve'])

async function help(args: readonly string[], terminal: Terminal): Promise<number> {
  const isAll = args[0] === 'all'
  if (!isAll && /^(?!help$)[^-]/.test(args[0] ?? '')) return main([...args, '--help'], terminal)
  writeLines(terminal.stdout, [
    'kitseal seals evidence into kits that anyone can check.',
    '',
    'usage: kitseal COMMAND …',
    '',
    ...Object.entries(COMMANDS)
      .filter(([command]) => isAll || EVERYDAY.has(command))
      .map(([command, [summary]]) => `  ${command.padEnd(10)} ${summary}`),
    '',
    ...(isAll ? [] : ['Run "kitseal --help all" for all commands.']),
    'Run "kitseal COMMAND --help" for the options of a command.',
    'Exit codes: 0 success or PASS; 1 FAIL; 2 wrong usage or unreadable input; 3 files intact, but sender not confirmed;',
    '4 the service refused the call.',
  ])
  return EXIT.ok
}

async function version({ stdout }: Terminal): Promise<number> {
  const { default: description } = await import('../package.json', { with: { type: 'json' } })
  writeLines(stdout, [`kitseal ${description.version}`])
  return EXIT.ok
}
