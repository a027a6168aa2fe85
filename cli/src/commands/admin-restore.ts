import { resolve } from 'node:path'
import { EXIT, type Terminal } from '../terminal.ts'
import { runTask, type StoreTask } from './admin-task.ts'

const USAGE = `usage: kitseal admin restore DIR

Fills an empty store from a backup: the one that the settings name, embedded or shared. Every file of the backup is held
against its index, every object against its name, and every kit is verified where it lies now, before anything counts.

  --data DIR   where the data goes (default: KITSEAL_DATA, or ./data; KITSEAL_DATABASE_URL and KITSEAL_OBJECTS where set)
  --json       the answer as JSON

exit codes: 0 everything is restored, 1 refused: the store is not empty, or the backup is not whole, 2 usage
`

const task: StoreTask = {
  name: 'restore',
  usage: USAGE,
  options: {},
  words: ['a folder DIR'],
  onStore: false,
  perform: async (config, { words }, progress) => {
    const { restoreBackup } = await import('@kitseal/server')
    const { rows, objects, kits } = await restoreBackup(config, resolve(words[0] ?? ''), progress)
    const json = { rows, objects, kits_verified: kits.verified, kits_expired: kits.expired }
    const lines = [`Restored ${rows} records and ${objects} objects. ${kits.verified} kits verify.`]
    return { lines, json, exitCode: EXIT.ok }
  },
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runTask(task, args, terminal)
