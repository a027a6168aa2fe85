import { counted, EXIT, type Terminal } from '../terminal.ts'
import type { Answer } from './admin-answer.ts'
import { runTask, type StoreTask } from './admin-task.ts'

const USAGE = `usage: kitseal admin move --to-database URL --to-objects URL

Moves everything from the embedded store of one machine to PostgreSQL and S3 (or a folder), signing keys included. Stop
the service first. Every kit is verified before and after; the source stays as it is. A move that was cut off is begun
again with the same command.

  --to-database URL  postgres://USER:PASSWORD@HOST:PORT/DATABASE, empty
  --to-objects URL   s3://BUCKET/PREFIX?endpoint=URL&region=NAME, or a folder, empty
  --data DIR         the data to move (default: KITSEAL_DATA, or ./data)
  --json             the answer as JSON

exit codes: 0 moved, 1 refused: the service runs, the target is not empty, a kit does not verify, 2 usage

example:
  kitseal admin move --to-database postgres://kitseal@db/kitseal --to-objects 's3://evidence/kitseal?region=eu-central-1'
`

const task = (env: Terminal['env']): StoreTask => ({
  name: 'move',
  usage: USAGE,
  options: { 'to-database': 'one', 'to-objects': 'one' },
  words: [],
  onStore: true,
  problems: ({ values }) =>
    ['to-database', 'to-objects'].filter((name) => !values.has(name)).map((name) => `it needs --${name}`),
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
      `Moved ${counted(rows, 'record')} and ${counted(moved, 'object')}. Verified there, as they were here: ${counted(kits.verified, 'kit')}.`,
      '',
      'Start every node with these two settings:',
      ...Object.entries(settings).map(([name, value]) => `  ${name}='${value}'`),
      '',
      `Nothing was removed from ${config.dataFolder}. It still holds the private signing keys: once the nodes run, put it away.`,
    ]
    return { lines, json, exitCode: EXIT.ok }
  },
})

/** The settings of the target are flags here. */
function wrongTarget(problems: readonly string[]): Answer {
  const lines = problems.map((problem) => `kitseal admin move: ${asFlags(problem)}`)
  return { lines, json: { refused: 'usage', message: lines.join(' ') }, exitCode: EXIT.usage }
}

function asFlags(problem: string): string {
  return problem
    .replaceAll('KITSEAL_DATABASE_URL', '--to-database')
    .replaceAll(/KITSEAL_OBJECTS( \(or --objects\))?/g, '--to-objects')
}

/** Terminals are logged. */
function withoutPassword(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = 'PASSWORD'
  return url.href
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runTask(task(terminal.env), args, terminal)
