import { suggestion } from './arguments.ts'
import { type CommandTable, isServerMissing } from './command.ts'
import { InputError, reportInputError } from './input-error.ts'
import { EXIT, writeLines, printable, type Terminal } from './terminal.ts'
import { useProxy } from './use-proxy.ts'

export const COMMANDS: CommandTable = {
  demo: { summary: 'see kitseal at work in a few seconds', load: () => import('./commands/demo.ts') },
  login: {
    summary: 'store the API key of a service, and pin its keys',
    load: () => import('./commands/login.ts'),
  },
  logout: { summary: 'delete the stored API key', load: () => import('./commands/logout.ts') },
  submit: {
    summary: 'upload evidence and download the kit',
    load: () => import('./commands/submit.ts'),
  },
  check: {
    summary: 'check evidence before uploading it, offline',
    load: () => import('./commands/check.ts'),
  },
  status: { summary: 'show a submission, or list recent ones', load: () => import('./commands/status.ts') },
  get: {
    summary: 'download and verify a kit, or download a report',
    load: () => import('./commands/get.ts'),
  },
  reissue: {
    summary: 'replace a kit whose signing key was revoked',
    load: () => import('./commands/reissue.ts'),
  },
  request: {
    summary: 'ask a supplier for evidence, and review the answer',
    load: () => import('./commands/request.ts'),
  },
  share: {
    summary: 'share a kit by a link, list and revoke shares',
    load: () => import('./commands/share.ts'),
  },
  series: {
    summary: 'list series of kits, and where one is missing',
    load: () => import('./commands/series.ts'),
  },
  hold: {
    summary: 'place or release a legal hold',
    load: () => import('./commands/hold.ts'),
  },
  delete: {
    summary: 'delete the evidence of a submission',
    load: () => import('./commands/delete.ts'),
  },
  verify: { summary: 'verify a kit, offline', load: () => import('./commands/verify.ts') },
  prove: { summary: 'prove that a file is in a kit', load: () => import('./commands/prove.ts') },
  trust: { summary: 'pin the keys and logs of issuers you trust', load: () => import('./commands/trust.ts') },
  audit: {
    summary: 'export and verify the audit log',
    load: () => import('./commands/audit.ts'),
  },
  events: {
    summary: 'print what happened in the workspace, and follow it',
    load: () => import('./commands/events.ts'),
  },
  monitor: {
    summary: 'watch the transparency log of an issuer',
    load: () => import('./commands/monitor.ts'),
  },
  diff: { summary: 'compare two kits', load: () => import('./commands/diff.ts') },
  seal: { summary: 'make a kit from a folder, without a service', load: () => import('./commands/seal.ts') },
  keygen: { summary: 'create a signing key for seal', load: () => import('./commands/keygen.ts') },
  serve: { summary: 'run the service', load: () => import('./commands/serve.ts') },
  witness: {
    summary: 'cosign the logs of other services',
    load: () => import('./commands/witness.ts'),
  },
  admin: {
    summary: 'manage the service: workspaces, keys, credits, backups',
    load: () => import('./commands/admin.ts'),
  },
  completion: {
    summary: 'print a shell completion script',
    load: () => import('./commands/completion.ts'),
  },
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
  let stopProxy: (() => void) | undefined
  try {
    if (!WITHOUT_PROXY.has(name)) stopProxy = await useProxy(terminal.env)
    const command = await row.load()
    return await command.run(args, terminal, COMMANDS)
  } catch (error) {
    if (error instanceof InputError) return reportInputError(error, name, terminal, args.includes('--json'))
    if (!isServerMissing(error)) throw error
    writeLines(terminal.stderr, [`kitseal ${name}: this build does not include the server`])
    return EXIT.usage
  } finally {
    stopProxy?.()
  }
}

/** Servers check the addresses that they connect to, which a proxy would hide. */
const WITHOUT_PROXY: ReadonlySet<string> = new Set(['admin', 'demo', 'serve', 'witness'])

async function help(args: readonly string[], terminal: Terminal): Promise<number> {
  if (/^(?!help$)[^-]/.test(args[0] ?? '')) return main([...args, '--help'], terminal)
  writeLines(terminal.stdout, [
    'kitseal seals evidence into kits that anyone can check.',
    '',
    'usage: kitseal COMMAND …',
    '',
    ...Object.entries(COMMANDS).map(([command, { summary }]) => `  ${command.padEnd(10)} ${summary}`),
    '',
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
