import { resolve } from 'node:path'
import { stopwatch, tookLines } from '../task-progress.ts'
import { pluralize } from '../terminal.ts'
import { storeTask } from './admin-group.ts'
import { done } from './admin-result.ts'

const USAGE = `usage: kitseal admin restore DIR

Restores a backup: objects, each checked against its hash, then keys, then the database, which must not exist (SQLite) or must
be empty (PostgreSQL, with psql). The log is frozen until you run "kitseal admin log repair". If the restore is interrupted,
run the same command again.

  --data DIR   where to restore to (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

exit codes: 0 restored; 1 restored except for objects that the backup lacks, which are listed, or nothing restored; 2 wrong usage`

export const run = storeTask(
  'restore',
  USAGE,
  {
    positionals: ['DIR'],
    read:
      ({ positionals }) =>
      async ({ config, env, onProgress }) => {
        const { restoreBackup } = await import('@kitseal/server')
        const elapsed = stopwatch()
        const folder = resolve(positionals[0] ?? '')
        const { createdAt, objects, lacking } = await restoreBackup(config, { folder, env, onProgress })
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
  },
  false,
)
