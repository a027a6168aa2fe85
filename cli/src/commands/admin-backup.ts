import { resolve } from 'node:path'
import { formatBytes } from '@kitseal/kit'
import { counted, EXIT, type Terminal } from '../terminal.ts'
import { runTask, type StoreTask } from './admin-task.ts'

const USAGE = `usage: kitseal admin backup DIR

Writes a backup into DIR while the service runs: the records as they are at one moment, every object that they name, and
the signing keys. Objects that DIR has already are not copied again, so that the next backup into it is quick.

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data; KITSEAL_DATABASE_URL where it is set)
  --json       the answer as JSON

exit codes: 0 the backup is complete, 1 an object is missing or damaged, or a store can not be used, 2 usage
`

const task: StoreTask = {
  name: 'backup',
  usage: USAGE,
  options: {},
  words: ['a folder DIR'],
  onStore: true,
  perform: async (config, { words }, progress) => {
    const { writeBackup } = await import('@kitseal/server')
    const folder = resolve(words[0] ?? '')
    const { index, rows, copied, copiedBytes, present, bad } = await writeBackup(config, {
      folder,
      tell: progress,
    })
    const kits = index.tables['kits']?.lines ?? 0
    const json = {
      folder,
      created_at: index.created_at,
      kits,
      rows,
      copied,
      copied_bytes: copiedBytes,
      present,
      bad,
    }
    const lines = [
      `Backed up ${counted(kits, 'kit')} to ${folder}: ${counted(rows, 'record')}, ${counted(copied + present, 'object')} (${copied} of them new, ${formatBytes(copiedBytes)}).`,
      ...keyLines(index.key_files + (index.tables['private_keys']?.lines ?? 0), config.signer.is),
      ...(bad.length === 0
        ? []
        : [`Missing or damaged, and not in the backup: ${counted(bad.length, 'object')}`, ...bad]),
    ]
    return { lines, json, exitCode: bad.length === 0 ? EXIT.ok : EXIT.fail }
  },
}

function keyLines(keys: number, signer: string): readonly string[] {
  return [
    ...(keys === 0
      ? []
      : [
          `WARNING: it holds ${counted(keys, 'private signing key')}. Whoever reads it can sign as this service: keep it as safe.`,
        ]),
    ...(signer === 'pkcs11'
      ? ['Keys in the PKCS#11 token are not in it: the token has its own backup.']
      : []),
  ]
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runTask(task, args, terminal)
