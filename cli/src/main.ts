import { suggestion } from './arguments.ts'
import { EXIT, lines, plain, type Terminal } from './terminal.ts'

/** What each module under commands/ exports. */
export interface Command {
  run(args: readonly string[], terminal: Terminal): Promise<number>
}

interface Row {
  readonly summary: string
  /** A command loads only what it uses: verify is started often, and has to be quick. */
  readonly load: () => Promise<Command>
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  demo: { summary: 'see it all once, in a few seconds', load: () => import('./commands/demo.ts') },
  submit: {
    summary: 'send evidence, and fetch the kit or the blockers',
    load: () => import('./commands/submit.ts'),
  },
  check: { summary: 'find what a service would refuse, offline', load: () => import('./commands/check.ts') },
  status: { summary: 'show a submission, or the newest', load: () => import('./commands/status.ts') },
  get: {
    summary: 'fetch a kit, verified, or another deliverable',
    load: () => import('./commands/get.ts'),
  },
  verify: { summary: 'check a kit, offline', load: () => import('./commands/verify.ts') },
  prove: { summary: 'write a proof that one file is in a kit', load: () => import('./commands/prove.ts') },
  trust: { summary: 'pin the keys of the issuers that you trust', load: () => import('./commands/trust.ts') },
  diff: { summary: 'show what changed between two kits', load: () => import('./commands/diff.ts') },
  seal: { summary: 'make a kit from a folder, with no service', load: () => import('./commands/seal.ts') },
  keygen: { summary: 'make a key for seal', load: () => import('./commands/keygen.ts') },
  serve: { summary: 'run the service', load: () => import('./commands/serve.ts') },
  admin: {
    summary: 'operate the service: workspaces, keys, credits, plans',
    load: () => import('./commands/admin.ts'),
  },
  completion: {
    summary: 'print the completion for your shell',
    load: () => import('./commands/completion.ts'),
  },
}

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[], terminal: Terminal = process): Promise<number> {
  const [name = 'help', ...args] = argv
  if (name === 'help' || name === '--help' || name === '-h') return help(args, terminal)
  if (name === '--version' || name === '-V') return version(terminal)
  const row = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (row === undefined) {
    const known = [...Object.keys(COMMANDS), '--help', '--version']
    lines(terminal.stderr, [
      plain(`kitseal: there is no command ${JSON.stringify(name)}${suggestion(name, known)}`),
      'See "kitseal --help".',
    ])
    return EXIT.usage
  }
  try {
    const command = await row.load()
    return await command.run(args, terminal)
  } catch (error) {
    if (!isWithoutService(error)) throw error
    lines(terminal.stderr, [`kitseal ${name}: ${WITHOUT_SERVICE}`])
    return EXIT.usage
  }
}

/** The one-file builds leave the service out. */
export const WITHOUT_SERVICE = 'this is the command line alone, and the service is not part of it'

function isWithoutService(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /['"]@kitseal\/server|No such built-in module: @kitseal/.test(error.message)
  )
}

async function help(words: readonly string[], terminal: Terminal): Promise<number> {
  if (/^(?!help$)[^-]/.test(words[0] ?? '')) return main([...words, '--help'], terminal)
  lines(terminal.stdout, [
    'kitseal seals evidence into kits that anyone can check.',
    '',
    'usage: kitseal COMMAND …',
    '',
    ...Object.entries(COMMANDS).map(([command, { summary }]) => `  ${command.padEnd(10)} ${summary}`),
    '',
    'kitseal COMMAND --help shows what a command takes.',
    'Exit codes: 0 done, or PASS; 1 FAIL, or refused; 2 wrong usage, or input that cannot be read.',
  ])
  return EXIT.ok
}

async function version({ stdout }: Terminal): Promise<number> {
  const { default: description } = await import('../package.json', { with: { type: 'json' } })
  lines(stdout, [`kitseal ${description.version}`])
  return EXIT.ok
}
