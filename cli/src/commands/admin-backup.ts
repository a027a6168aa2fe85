import { formatBytes } from '@kitseal/kit/internal'
import { resolve } from 'node:path'
import { stopwatch, tookLines } from '../task-progress.ts'
import { pluralize } from '../terminal.ts'
import { storeTask } from './admin-group.ts'
import { done } from './admin-result.ts'

const USAGE = `usage: kitseal admin backup DIR

Writes a backup to DIR. The service may be running. DIR then has a copy of the database (SQLite's online backup, or pg_dump,
which must be installed), every object that its records refer to, and the signing keys. The next backup into DIR copies the
database again, and only new objects. What was erased from the service since is deleted from DIR.

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

exit codes: 0 complete; 1 an object is missing or damaged, or the store is unavailable; 2 wrong usage`

export const run = storeTask('backup', USAGE, {
  positionals: ['DIR'],
  read:
    ({ positionals }) =>
    async ({ config, env, onProgress }) => {
      const { writeBackup } = await import('@kitseal/server')
      const folder = resolve(positionals[0] ?? '')
      const elapsed = stopwatch()
      const report = await writeBackup(config, { folder, env, onProgress })
      const seconds = elapsed()
      const {
        createdAt: created_at,
        kits,
        copied,
        copiedBytes: copied_bytes,
        present,
        removed,
        bad,
        keys,
      } = report
      const json = { folder, created_at, kits, copied, copied_bytes, present, removed, bad, seconds }
      const lines = [
        `Backed up ${pluralize(kits, 'kit')} to ${folder}: the database and ${pluralize(copied + present, 'object')} (${copied} new, ${formatBytes(copied_bytes)}).`,
        ...(removed === 0
          ? []
          : [
              `Removed from the backup, because the service no longer has them: ${pluralize(removed, 'object')}.`,
            ]),
        ...tookLines(seconds, copied + present, 'object'),
        ...keyLines(keys, config.signer.is),
        ...(bad.length === 0
          ? []
          : [`Missing or damaged, so not in the backup: ${pluralize(bad.length, 'object')}`, ...bad]),
      ]
      return done(lines, json, bad.length === 0)
    },
})

function keyLines(keys: number, signer: string): readonly string[] {
  return [
    ...(keys === 0
      ? []
      : [
          `WARNING: the backup contains ${pluralize(keys, 'private key')}. Anyone who reads it can sign as this service. Keep it secret.`,
        ]),
    ...(signer === 'pkcs11' ? ['Keys in the PKCS#11 token are not included. Back up the token itself.'] : []),
  ]
}
