import { resolve } from 'node:path'
import { counted, EXIT, type Terminal } from '../terminal.ts'
import { runTask, type StoreTask } from './admin-task.ts'

const USAGE = `usage: kitseal admin restore DIR

Fills an empty store from a backup: the one that the settings name, embedded or shared. Every file of the backup is held
against its index, every object against its name, and every kit is verified where it lies now, before anything counts.

  --data DIR   where the data goes (default: KITSEAL_DATA, or ./data; KITSEAL_DATABASE_URL and KITSEAL_OBJECTS where set)
  --json       the answer as JSON

What was missing or damaged when the backup was made is missing still: it is named, and the rest is restored.

exit codes: 0 everything is restored, 1 restored but for what the backup lacks, or refused, and then nothing is changed:
the store is not empty, or the backup is not what it was; 2 usage
`

const task: StoreTask = {
  name: 'restore',
  usage: USAGE,
  options: {},
  words: ['a folder DIR'],
  onStore: false,
  perform: async (config, { words }, progress) => {
    const { restoreBackup } = await import('@kitseal/server')
    const restored = await restoreBackup(config, resolve(words[0] ?? ''), progress)
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
    }
    const lines = [
      `Restored ${counted(rows, 'record')} and ${counted(objects, 'object')}. Verified: ${counted(verified, 'kit')}.`,
      ...(lacking.length === 0
        ? []
        : [
            `Missing or damaged when the backup was made, and so here: ${counted(lacking.length, 'object')}`,
            ...lacking.map((sha256) => `  ${sha256}`),
            ...(broken.length === 0 ? [] : [`Not whole because of it: ${counted(broken.length, 'kit')}`]),
            ...broken.map((kitId) => `  ${kitId}`),
            'The rest is restored, and the service can be started on it.',
          ]),
    ]
    return { lines, json, exitCode: lacking.length === 0 ? EXIT.ok : EXIT.fail }
  },
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runTask(task, args, terminal)
