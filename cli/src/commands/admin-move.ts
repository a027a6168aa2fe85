import type { Shown } from '../command-line.ts'
import { resolve } from 'node:path'
import type { Config } from '@kitseal/server'
import { stopwatch, tookLines } from '../task-progress.ts'
import { pluralize, EXIT } from '../terminal.ts'
import { type Input, storeTask } from './admin-group.ts'
import { done } from './admin-result.ts'

const USAGE = `usage: kitseal admin move --to-database URL --to-objects URL
       kitseal admin move --to-data DIR [--to-objects URL]

Copies everything to another database and object store, including the signing keys: from one machine to PostgreSQL and S3,
back, or between two of either. The source is what the settings name. Stop the service first. Every object is hashed at
the target, and all records are one commit. The source is not changed. If the move is interrupted, run the same command
again. The log is frozen until you run "kitseal admin log repair" with the new settings.

  --to-database URL  an empty database: postgres://USER@HOST:PORT/DATABASE. Its password is read from PGPASSWORD, or from
                     ~/.pgpass: other users can see command lines
  --to-objects URL   an empty folder or bucket: s3://BUCKET/PREFIX?endpoint=URL&region=NAME
  --to-data DIR      instead of --to-database: an empty folder for a SQLite database, and for objects without --to-objects
  --data DIR         the data to move (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json             print the result as JSON

exit codes: 0 moved; 1 the service is running, the target is not empty or an object is damaged; 2 wrong usage

examples:
  kitseal admin move --to-database postgres://kitseal@db/kitseal --to-objects 's3://evidence/kitseal?region=eu-central-1'
  KITSEAL_DATABASE_URL=postgres://kitseal@db/kitseal KITSEAL_OBJECTS='s3://evidence/kitseal?region=eu-central-1' \\
    kitseal admin move --to-data /srv/kitseal`

export const run = storeTask('move', USAGE, {
  options: { 'to-database': 'one', 'to-objects': 'one', 'to-data': 'one' },
  read: ({ value, has, reject }) => {
    reject(
      !has('to-data') && !has('to-database') && '--to-database is required',
      !has('to-data') && !has('to-objects') && '--to-objects is required',
      has('to-data') && has('to-database') && '--to-database and --to-data exclude each other',
      hasPassword(value('to-database')) &&
        '--to-database must not contain a password, because other users can see command lines. Set PGPASSWORD, or write it to ~/.pgpass',
    )
    return async ({ config, env, onProgress }) => {
      const { databaseProblem, moveStore, readConfig, TransferRefused } = await import('@kitseal/server')
      const wanted = targetSettings(value)
      const target = readConfig({
        ...env,
        KITSEAL_DATA: config.dataFolder,
        ...wanted,
        KITSEAL_DATABASE_URL_FILE: undefined,
        KITSEAL_DATABASE_URL: withPassword(wanted['KITSEAL_DATABASE_URL'], env['PGPASSWORD']),
      })
      if (!target.ok) return wrongTarget(target.problems)
      const to = target.value
      const elapsed = stopwatch()
      const { rows, objects: moved } = await moveStore(config, to, onProgress).catch((error: unknown) => {
        const problem = databaseProblem(error, to, '--to-database')
        throw problem === undefined ? error : new TransferRefused(problem)
      })
      const seconds = elapsed()
      const settings = shownSettings(wanted)
      const json = {
        rows,
        objects: moved,
        settings,
        seconds,
      }
      const lines = [
        `Moved ${pluralize(rows, 'record')} and ${pluralize(moved, 'object')}.`,
        ...tookLines(seconds, moved, 'object'),
        '',
        ...nextSteps(settings),
        '',
        'Then run "kitseal admin log repair" with the same settings. Until then no kits are issued.',
        `Nothing was removed from ${sourceName(config)}. It still contains the private signing keys. Never start a service on it again. Once the new service runs, store it safely or delete it.`,
      ]
      return done(lines, json)
    }
  },
})

const hasPassword = (url = ''): boolean => URL.canParse(url) && new URL(url).password !== ''

/** Without one, the driver looks into ~/.pgpass. */
function withPassword(text = '', password = ''): string {
  if (password === '' || !URL.canParse(text)) return text
  const url = new URL(text)
  url.password = encodeURIComponent(password)
  return url.href
}

type TargetSettings = Readonly<Record<string, string>>

/** Empty settings are as if they were not set. */
function targetSettings(value: Input['value']): TargetSettings {
  const [database = '', objects = '', data] = ['to-database', 'to-objects', 'to-data'].map(value)
  return {
    ...(data === undefined ? {} : { KITSEAL_DATA: resolve(data) }),
    KITSEAL_DATABASE_URL: database,
    KITSEAL_OBJECTS: objects,
  }
}

function shownSettings(wanted: TargetSettings): TargetSettings {
  const { KITSEAL_DATABASE_URL: url = '', ...others } = wanted
  const set = Object.entries(others).filter(([, value]) => value !== '')
  return Object.fromEntries(url === '' ? set : [['KITSEAL_DATABASE_URL', withoutPassword(url)], ...set])
}

function nextSteps(settings: TargetSettings): readonly string[] {
  const assignments = Object.entries(settings).map(([name, value]) => `  ${name}='${value}'`)
  if ('KITSEAL_DATABASE_URL' in settings) return ['Start every node with these two settings:', ...assignments]
  return ['Start the service with these settings, and without KITSEAL_DATABASE_URL:', ...assignments]
}

const sourceName = ({ databaseUrl, dataFolder }: Config): string =>
  databaseUrl === undefined ? dataFolder : withoutPassword(databaseUrl)

/** Config problems name settings. Here they are options. */
function wrongTarget(problems: readonly string[]): Shown {
  const lines = problems.map((problem) => `kitseal admin move: ${asOptions(problem)}`)
  return { err: lines, json: { refused: 'usage', message: lines.join(' ') }, exitCode: EXIT.usage }
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
