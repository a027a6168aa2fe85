import { formatBytes } from '@kitseal/kit/internal'
import { resolve } from 'node:path'
import { stopwatch, tookLines } from '../progress.ts'
import { pluralize, EXIT, printable } from '../terminal.ts'
import type { Config, ScrubFinding } from '@kitseal/server'
import { done, onStore, refused, single } from './admin-command.ts'

const BACKUP = `usage: kitseal admin backup DIR

Writes a backup to DIR. The service may be running. DIR then has a copy of the database (SQLite's online backup, or pg_dump,
which must be installed), every object that its records refer to, and the signing keys. The next backup into DIR copies the
database again, and only new objects. What was erased from the service since is deleted from DIR.

OPTIONS

exit codes: 0 complete; 1 an object is missing or damaged, or the store is unavailable; 2 wrong usage`

export const backup = single('backup', BACKUP, {
  positionals: ['DIR'],
  read:
    ({ positionals: [named = ''] }) =>
    async ({ server, config, terminal: { env }, onProgress }) => {
      const folder = resolve(named)
      const elapsed = stopwatch()
      const { keys, createdAt, copiedBytes, ...report } = await server.writeBackup(config, {
        folder,
        env,
        onProgress,
      })
      const seconds = elapsed()
      const { kits, copied, present, removed, bad } = report
      const lines = [
        `Backed up ${pluralize(kits, 'kit')} to ${folder}: the database and ${pluralize(copied + present, 'object')} (${copied} new, ${formatBytes(copiedBytes)}).`,
        removed > 0 &&
          `Removed from the backup, because the service no longer has them: ${pluralize(removed, 'object')}.`,
        ...tookLines(seconds, copied + present, 'object'),
        keys > 0 &&
          `WARNING: the backup contains ${pluralize(keys, 'private key')}. Anyone who reads it can sign as this service. Keep it secret.`,
        config.signer.is === 'pkcs11' &&
          'Keys in the PKCS#11 token are not included. Back up the token itself.',
        bad.length > 0 && `Missing or damaged, so not in the backup: ${pluralize(bad.length, 'object')}`,
        ...bad,
      ].filter((line) => line !== false)
      const json = { folder, created_at: createdAt, copied_bytes: copiedBytes, ...report, seconds }
      return done(lines, json, bad.length === 0)
    },
})

const RESTORE = `usage: kitseal admin restore DIR

Restores a backup into --data: objects, then keys, then the database, which must not exist (SQLite) or must be empty (PostgreSQL, with
psql). Then every object is hashed. The log is frozen until you run "kitseal admin log repair". If the restore is interrupted,
run the same command again.

OPTIONS

exit codes: 0 restored; 1 restored except for objects that the backup lacks, which are listed, or nothing restored; 2 wrong usage`

export const restore = single('restore', RESTORE, {
  positionals: ['DIR'],
  createsStore: true,
  read:
    ({ positionals: [named = ''] }) =>
    async ({ server, config, terminal: { env }, onProgress }) => {
      const elapsed = stopwatch()
      const order = { folder: resolve(named), env, onProgress }
      const { createdAt, objects, lacking } = await server.restoreBackup(config, order)
      const seconds = elapsed()
      const lines = [
        `Restored the database of ${createdAt} and ${pluralize(objects, 'object')}.`,
        ...tookLines(seconds, objects, 'object'),
        ...(lacking.length === 0
          ? []
          : [
              `Missing from the backup: ${pluralize(lacking.length, 'object')}`,
              ...lacking.map((sha256) => `  ${sha256}`),
              'Everything else is restored. "kitseal admin scrub" names the kits that they belong to.',
            ]),
        'No kits are issued until you run "kitseal admin log repair": the log may have grown since the backup.',
      ]
      return done(lines, { created_at: createdAt, objects, lacking, seconds }, lacking.length === 0)
    },
})

const MOVE = `usage: kitseal admin move --to-database URL --to-objects URL
       kitseal admin move --to-data DIR [--to-objects URL]

Copies everything to another database and object store, including the signing keys: from one machine to PostgreSQL and S3,
back, or between two of either. The source is what the settings name. Stop the service first. Every object is hashed at
the target, and all records are one commit. The source is not changed. If the move is interrupted, run the same command
again. The log is frozen until you run "kitseal admin log repair" with the new settings.

OPTIONS

exit codes: 0 moved; 1 the service is running, the target is not empty or an object is damaged; 2 wrong usage

examples:
  kitseal admin move --to-database postgres://kitseal@db/kitseal --to-objects 's3://evidence/kitseal?region=eu-central-1'
  KITSEAL_DATABASE_URL=postgres://kitseal@db/kitseal KITSEAL_OBJECTS='s3://evidence/kitseal?region=eu-central-1' \\
    kitseal admin move --to-data /srv/kitseal`

export const move = single('move', MOVE, {
  options: {
    'to-database':
      'URL  an empty database: postgres://USER@HOST:PORT/DATABASE. Its password is read from PGPASSWORD, or from ~/.pgpass: other users can see command lines',
    'to-objects': 'URL  an empty folder or bucket: s3://BUCKET/PREFIX?endpoint=URL&region=NAME',
    'to-data':
      'DIR  instead of --to-database: an empty folder for a SQLite database, and for objects without --to-objects',
  },
  read: ({ value, has, reject }) => {
    reject(
      !has('to-data') && !has('to-database') && '--to-database is required',
      !has('to-data') && !has('to-objects') && '--to-objects is required',
      has('to-data') && has('to-database') && '--to-database and --to-data exclude each other',
      hasPassword(value('to-database')) &&
        '--to-database must not contain a password, because other users can see command lines. Set PGPASSWORD, or write it to ~/.pgpass',
    )
    return async ({ server, config, terminal: { env }, onProgress }) => {
      const data = value('to-data')
      // Empty settings are as if they were not set.
      const wanted = {
        ...(data !== undefined && { KITSEAL_DATA: resolve(data) }),
        KITSEAL_DATABASE_URL: value('to-database') ?? '',
        KITSEAL_OBJECTS: value('to-objects') ?? '',
      }
      const others = { ...env, KITSEAL_DATA: config.dataFolder, KITSEAL_DATABASE_URL_FILE: undefined }
      const target = server.readConfig({ ...others, ...wanted })
      if (!target.ok) return { ...refused('usage', ...target.problems.map(asOption)), exitCode: EXIT.usage }
      const to = target.value
      const elapsed = stopwatch()
      const { rows, objects } = await server.moveStore(config, to, onProgress).catch((error: unknown) => {
        const problem = server.databaseProblem(error, to, '--to-database')
        throw problem === undefined ? error : new server.TransferRefused(problem)
      })
      const seconds = elapsed()
      // They hold in any folder.
      const place = has('to-objects') && to.objects.is === 'folder' && resolve(to.objects.path)
      const shown = { ...wanted, ...(place !== false && { KITSEAL_OBJECTS: place }) }
      const settings = Object.fromEntries(Object.entries(shown).filter(([, text]) => text !== ''))
      const lines = [
        `Moved ${pluralize(rows, 'record')} and ${pluralize(objects, 'object')}.`,
        ...tookLines(seconds, objects, 'object'),
        '',
        `Start every node with these settings${has('to-data') ? ', and without KITSEAL_DATABASE_URL' : ''}:`,
        ...Object.entries(settings).map(([name, text]) => `  ${name}='${text}'`),
        '',
        'Then run "kitseal admin log repair" with the same settings. Until then no kits are issued.',
        `Nothing was removed from ${sourceName(config)}. It still contains the private signing keys. Never start a service on it again. Once the new service runs, store it safely or delete it.`,
      ]
      return done(lines, { rows, objects, settings, seconds })
    }
  },
})

/** Problems name settings. Here they are options. */
const asOption = (problem: string): string =>
  `kitseal admin move: ${problem}`
    .replaceAll('KITSEAL_DATABASE_URL', '--to-database')
    .replaceAll(/KITSEAL_OBJECTS( \(or --objects\))?/g, '--to-objects')

const hasPassword = (url = ''): boolean => URL.canParse(url) && new URL(url).password !== ''

/** Without a password: terminal output may be logged. */
function sourceName({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl === undefined) return dataFolder
  const url = new URL(databaseUrl)
  if (url.password !== '') url.password = 'PASSWORD'
  return url.href
}

const SCRUB = `usage: kitseal admin scrub [OPTIONS]

Hashes every stored object again and reports missing or damaged ones by name, kit and path. The service may be running.
It does the same in the background, at 2 MiB per second. Several objects are read at once; progress is shown on stderr.

OPTIONS

exit codes: 0 no damage; 1 missing or damaged objects, or the store is unavailable; 2 wrong usage`

export const scrub = single('scrub', SCRUB, {
  read: () =>
    onStore(async (store, { server, onProgress }) => {
      const findings: ScrubFinding[] = []
      const elapsed = stopwatch()
      let [objects, bytes] = [0, 0]
      for await (const { object, sizeBytes, finding } of server.scrubObjects(store)) {
        ;[objects, bytes] = [objects + 1, bytes + sizeBytes]
        if (finding !== undefined) findings.push(finding)
        onProgress({ step: 'Checking objects', done: objects, share: server.shareUpTo(object), bytes })
      }
      if (objects > 0) await server.noteScrub(store.db, store.clock, findings.length)
      const seconds = elapsed()
      const took = tookLines(seconds, objects, 'object')
      const json = { objects, bytes, bad: findings.length, findings, seconds }
      const sum = `${pluralize(objects, 'object')}, ${formatBytes(bytes)} read.`
      if (findings.length === 0) return done([`${sum} No damage found.`, ...took], json)
      const lines = [...findings.flatMap(toText), `${sum} ${findings.length} missing or damaged.`, ...took]
      return done(lines, json, false)
    }),
})

function toText({ object, problem, kits, evidence }: ScrubFinding): readonly string[] {
  return [
    `${problem.toUpperCase()}  ${object}`,
    ...kits.flatMap(({ kit_id, paths }) => paths.map((path) => `  ${kit_id}  ${printable(path)}`)),
    ...evidence.map(({ submission_id, name }) => `  ${submission_id}  uploaded as ${printable(name)}`),
  ]
}
