import { readArguments } from '../arguments.ts'
import { EXIT, jsonText, lines, type Terminal, usageError } from '../terminal.ts'
import { refused, say } from './admin-answer.ts'

const USAGE = `usage: kitseal admin migrate [--check]

Brings the database to the form of this release. A service does the same when it starts, so this is for whoever wants
it done before. Nodes of the release before go on working meanwhile, and are not started again afterwards.

  --check      change nothing; exit 1 where something is pending
  --data DIR   the service's data (default: KITSEAL_DATA, or ./data; KITSEAL_DATABASE_URL where it is set)
  --json       the answer as JSON

exit codes: 0 nothing is pending any more, 1 something is (--check) or the database can not be used, 2 usage
`

/** `kitseal admin migrate`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(USAGE)
    return EXIT.ok
  }
  const read = readArguments<string>(args, { check: 'flag', data: 'one', json: 'flag' })
  const extra = read.words.map((word) => `${JSON.stringify(word)} is not expected here`)
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
    lines(terminal.stdout, read.flags.has('json') ? [jsonText(json)] : said(names, check))
    return check && names.length > 0 ? EXIT.fail : EXIT.ok
  } catch (error) {
    const problem = storeProblem(error, config.value) ?? (error as Error).message
    return say(refused('store_unavailable', `kitseal admin migrate: ${problem}`), read.flags, terminal)
  }
}

function said(names: readonly string[], check: boolean): readonly string[] {
  if (names.length === 0) return ['The database has the form of this release. Nothing is pending.']
  return [...names.map((name) => `${check ? 'Pending' : 'Done'}: ${name}`), `${names.length} in all.`]
}
