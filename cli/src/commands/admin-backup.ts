import { formatBytes } from '@kitseal/kit/internal'
import { resolve } from 'node:path'
import { stopwatch, tookLines } from '../task-progress.ts'
import { pluralize } from '../terminal.ts'
import { storeTask } from './admin-group.ts'
import { done } from './admin-result.ts'

const USAGE = `usage: kitseal admin backup DIR

Writes a backup to DIR. The service may be running. The backup contains a consistent snapshot of the database, every object
it refers to, and the signing keys. The next backup into DIR writes only what is new or has changed. What was erased from
the service since is deleted from DIR.

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

exit codes: 0 complete; 1 an object is missing or damaged, or the store is unavailable; 2 wrong usage`

export const run = storeTask('backup', USAGE, {
  positionals: ['DIR'],
  read:
    ({ positionals }) =>
    async ({ config, onProgress }) => {
      const { writeBackup } = await import('@kitseal/server')
      const folder = resolve(positionals[0] ?? '')
      const elapsed = stopwatch()
      const { index, rows, copied, copiedBytes, present, bad, erased, removed } = await writeBackup(config, {
        folder,
        onProgress,
      })
      const seconds = elapsed()
      const kits = index.tables['kits']?.lines ?? 0
      const json = {
        folder,
        created_at: index.created_at,
        kits,
        rows,
        copied,
        copied_bytes: copiedBytes,
        present,
        removed,
        erased,
        bad,
        seconds,
      }
      const lines = [
        `Backed up ${pluralize(kits, 'kit')} to ${folder}: ${pluralize(rows, 'record')}, ${pluralize(copied + present, 'object')} (${copied} new, ${formatBytes(copiedBytes)}).`,
        ...removedLines(removed, erased.length),
        ...tookLines(seconds, copied + present, 'object'),
        ...keyLines(index.key_files + (index.tables['private_keys']?.lines ?? 0), config.signer.is),
        ...(bad.length === 0
          ? []
          : [`Missing or damaged, so not in the backup: ${pluralize(bad.length, 'object')}`, ...bad]),
      ]
      return done(lines, json, bad.length === 0)
    },
})

function removedLines(removed: number, erased: number): readonly string[] {
  return [
    ...(removed === 0
      ? []
      : [
          `Removed from the backup, because the service no longer has them: ${pluralize(removed, 'object')}.`,
        ]),
    ...(erased === 0
      ? []
      : [`Erased from the service during the backup, so not in it: ${pluralize(erased, 'object')}.`]),
  ]
}

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
