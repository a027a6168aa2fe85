import { EXIT, pluralize } from '../terminal.ts'
import { storeTask, type Subcommand, type WholeStore } from './admin-group.ts'
import { refused } from './admin-result.ts'

const USAGE = `usage: kitseal admin migrate [--check]

Migrates the database to this release. The service does the same when it starts. Stop every node first.

  --check      change nothing; exit 1 if migrations are pending
  --data DIR   the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

exit codes: 0 up to date; 1 migrations are pending (--check) or the database is unavailable; 2 wrong usage`

const migrate: Subcommand<WholeStore> = {
  options: { check: 'flag' },
  read:
    ({ has }) =>
    async ({ config }) => {
      const { storeProblem, migrateStore, pendingIn } = await import('@kitseal/server')
      const check = has('check')
      try {
        const names = check ? await pendingIn(config) : await migrateStore(config)
        return {
          json: check ? { pending: names } : { done: names },
          out: toText(names, check),
          exitCode: check && names.length > 0 ? EXIT.fail : EXIT.ok,
        }
      } catch (error) {
        const problem = storeProblem(error, config) ?? (error as Error).message
        return refused('store_unavailable', `kitseal admin migrate: ${problem}`)
      }
    },
}

/** `kitseal admin migrate`. */
export const run = storeTask('migrate', USAGE, migrate, false)

function toText(names: readonly string[], check: boolean): readonly string[] {
  if (names.length === 0) return ['The database is up to date.']
  return [
    ...names.map((name) => `${check ? 'Pending' : 'Done'}: ${name}`),
    `${pluralize(names.length, 'migration')}.`,
  ]
}
