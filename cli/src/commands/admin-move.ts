import { pluralize, EXIT, type Terminal } from '../terminal.ts'
import type { Result } from './admin-result.ts'
import { runTask, type StoreTask } from './admin-task.ts'

const USAGE = `usage: kitseal admin move --to-database URL --to-objects URL

Copies everything from the embedded store to PostgreSQL and S3 (or a folder), including the signing keys. Stop the service
first. Every kit is verified before and after. The source is not changed. If the move is interrupted, run the same
command again. The log is frozen until you run "kitseal admin log resume" with the new settings.

  --to-database URL  an empty database: postgres://USER:PASSWORD@HOST:PORT/DATABASE
  --to-objects URL   an empty folder or bucket: s3://BUCKET/PREFIX?endpoint=URL&region=NAME
  --data DIR         the data to move (default: KITSEAL_DATA, or ./data)
  --json             print the result as JSON

exit codes: 0 moved; 1 the service is running, the target is not empty or a kit does not verify; 2 wrong usage

example:
  kitseal admin move --to-database postgres://kitseal@db/kitseal --to-objects 's3://evidence/kitseal?region=eu-central-1'
`

const task = (env: Terminal['env']): StoreTask => ({
  name: 'move',
  usage: USAGE,
  options: { 'to-database': 'one', 'to-objects': 'one' },
  positionals: [],
  requiresStore: true,
  problems: ({ values }) =>
    ['to-database', 'to-objects'].filter((name) => !values.has(name)).map((name) => `--${name} is required`),
  perform: async (config, { values }, progress) => {
    const { databaseProblem, moveStore, readConfig, TransferRefused } = await import('@kitseal/server')
    const [database = '', objects = ''] = [values.get('to-database')?.[0], values.get('to-objects')?.[0]]
    const target = readConfig({
      ...env,
      KITSEAL_DATA: config.dataFolder,
      KITSEAL_DATABASE_URL: database,
      KITSEAL_OBJECTS: objects,
    })
    if (!target.ok) return wrongTarget(target.problems)
    const to = target.value
    const {
      rows,
      objects: moved,
      kits,
    } = await moveStore(config, to, progress).catch((error: unknown) => {
      const problem = databaseProblem(error, to, '--to-database')
      throw problem === undefined ? error : new TransferRefused(problem)
    })
    const settings = { KITSEAL_DATABASE_URL: withoutPassword(database), KITSEAL_OBJECTS: objects }
    const json = { rows, objects: moved, kits_verified: kits.verified, kits_expired: kits.expired, settings }
    const lines = [
      `Moved ${pluralize(rows, 'record')} and ${pluralize(moved, 'object')}. Verified ${pluralize(kits.verified, 'kit')} before and after.`,
      '',
      'Start every node with these two settings:',
      ...Object.entries(settings).map(([name, value]) => `  ${name}='${value}'`),
      '',
      'Then run "kitseal admin log resume" with the same settings. Until then no kits are issued.',
      `Nothing was removed from ${config.dataFolder}. It still contains the private signing keys. Never start a service on it again. Once the nodes run, store it safely or delete it.`,
    ]
    return { lines, json, exitCode: EXIT.ok }
  },
})

/** Config problems name settings. Here they are options. */
function wrongTarget(problems: readonly string[]): Result {
  const lines = problems.map((problem) => `kitseal admin move: ${asOptions(problem)}`)
  return { lines, json: { refused: 'usage', message: lines.join(' ') }, exitCode: EXIT.usage }
}

function asOptions(problem: string): string {
  return problem
    .replaceAll('KITSEAL_DATABASE_URL', '--to-database')
    .replaceAll(/KITSEAL_OBJECTS( \(or --objects\))?/g, '--to-objects')
}

/** Terminal output may be logged. */
function withoutPassword(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = 'PASSWORD'
  return url.href
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runTask(task(terminal.env), args, terminal)
