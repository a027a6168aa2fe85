import { resolve } from 'node:path'
import { stopwatch, tookLines } from '../task-progress.ts'
import { pluralize } from '../terminal.ts'
import { storeTask, type Subcommand, type WholeStore } from './admin-group.ts'
import { done } from './admin-result.ts'

const USAGE = `usage: kitseal admin restore DIR

Restores a backup into the configured store, which must be empty. The backup files are checked against their index, objects
against their hashes, and every kit is verified in the new store before the restore is committed. The log is frozen
until you run "kitseal admin log repair". If the restore is interrupted, run the same command again.

  --data DIR   where to restore to (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

Objects that were missing or damaged when the backup was made are listed. The rest is restored.

exit codes: 0 restored; 1 restored except for objects missing from the backup, or nothing restored because the store is
not empty or the backup is damaged; 2 wrong usage`

const restore: Subcommand<WholeStore> = {
  positionals: ['DIR'],
  read:
    ({ positionals }) =>
    async ({ config, onProgress }) => {
      const { restoreBackup } = await import('@kitseal/server')
      const elapsed = stopwatch()
      const restored = await restoreBackup(config, resolve(positionals[0] ?? ''), onProgress)
      const seconds = elapsed()
      const { rows, objects, lacking, kits } = restored
      const verified = kits.verified - kits.problems.length
      const broken = kits.problems.map(({ kitId }) => kitId)
      const json = {
        rows,
        objects,
        kits_verified: verified,
        kits_expired: kits.expired,
        lacking,
        kits_broken: broken,
        seconds,
      }
      const lines = [
        `Restored ${pluralize(rows, 'record')} and ${pluralize(objects, 'object')}. Verified: ${pluralize(verified, 'kit')}.`,
        ...tookLines(seconds, objects, 'object'),
        ...(lacking.length === 0
          ? []
          : [
              `Missing from the backup: ${pluralize(lacking.length, 'object')}`,
              ...lacking.map((sha256) => `  ${sha256}`),
              ...(broken.length === 0
                ? []
                : [`Incomplete because of this: ${pluralize(broken.length, 'kit')}`]),
              ...broken.map((kitId) => `  ${kitId}`),
              'Everything else is restored. You can start the service.',
            ]),
        'No kits are issued until you run "kitseal admin log repair": the log may have grown since the backup.',
      ]
      return done(lines, json, lacking.length === 0)
    },
}

export const run = storeTask('restore', USAGE, restore, false)
