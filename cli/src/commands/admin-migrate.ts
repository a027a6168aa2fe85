import { parseArguments } from '../arguments.ts'
import { EXIT, jsonText, writeLines, pluralize, type Terminal, usageError } from '../terminal.ts'
import { printResult, refused } from './admin-result.ts'

const USAGE = `usage: kitseal admin migrate [--check]

Migrates the database to this release. The service does the same when it starts. Stop every node first.

  --check      change nothing; exit 1 if migrations are pending
  --data DIR   the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

exit codes: 0 up to date; 1 migrations are pending (--check) or the database is unavailable; 2 wrong usage
`

/** `kitseal admin migrate`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(USAGE)
    return EXIT.ok
  }
  const read = parseArguments<string>(args, { check: 'flag', data: 'one', json: 'flag' })
  const extra = read.positionals.map((word) => `unexpected argument ${JSON.stringify(word)}`)
  const wrong = [...read.problems, ...extra]
  if (wrong.length > 0) return usageError(terminal, 'admin migrate', wrong)
  const { storeProblem, migrateStore, pendingIn, readConfig } = await import('@kitseal/server')
  const data = read.values.get('data')?.[0]
  const config = readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
  if (!config.ok) return usageError(terminal, 'admin migrate', config.problems)
  const check = read.flags.has('check')
  try {
    const names = check ? await pendingIn(config.value) : await migrateStore(config.value)
    const json = check ? { pending: names } : { done: names }
    writeLines(terminal.stdout, read.flags.has('json') ? [jsonText(json)] : toText(names, check))
    return check && names.length > 0 ? EXIT.fail : EXIT.ok
  } catch (error) {
    const problem = storeProblem(error, config.value) ?? (error as Error).message
    return printResult(
      refused('store_unavailable', `kitseal admin migrate: ${problem}`),
      read.flags,
      terminal,
    )
  }
}

function toText(names: readonly string[], check: boolean): readonly string[] {
  if (names.length === 0) return ['The database is up to date.']
  return [
    ...names.map((name) => `${check ? 'Pending' : 'Done'}: ${name}`),
    `${pluralize(names.length, 'migration')}.`,
  ]
}
