import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = Buffer.alloc(4096 + 24, 1)

/** A folder that stores data durably with as few calls as possible. */
export interface SyncedFolder extends Disposable {
  /** Appends a page to one file and syncs it, as a database commit does. */
  commit(): void
  /** Writes, syncs and renames a file, and syncs its folder. */
  keep(name: string, content: Uint8Array): void
}

export function syncedFolder(place: string): SyncedFolder {
  mkdirSync(place)
  const log = openSync(join(place, 'log'), 'a')
  const folder = openSync(place, 'r')
  return {
    commit: () => {
      writeSync(log, PAGE)
      fdatasyncSync(log)
    },
    keep: (name, content) => {
      const file = openSync(join(place, name), 'wx')
      writeSync(file, content)
      fsyncSync(file)
      closeSync(file)
      fsyncSync(folder)
    },
    [Symbol.dispose]: () => {
      closeSync(log)
      closeSync(folder)
      rmSync(place, { recursive: true })
    },
  }
}
