import { generateKeyPairSync, sign } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { quantile } from '../report.ts'

/** The minimum cost of a submission: commits, files and one signature. */
export interface Durable {
  readonly commits: number
  readonly files: number
}

const PAGE = Buffer.alloc(4096 + 24, 1)
const MESSAGE = Buffer.alloc(1024, 2)

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

/** The median time on this disk, in milliseconds. */
export function timeOfDurable(place: string, { commits, files }: Durable, rounds: number): number {
  using disk = syncedFolder(place)
  const { privateKey } = generateKeyPairSync('ed25519')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    for (let commit = 0; commit < commits; commit++) disk.commit()
    for (let count = 0; count < files; count++) disk.keep(`object-${round}-${count}`, PAGE)
    sign(null, MESSAGE, privateKey)
    times.push(performance.now() - started)
  }
  return quantile(times, 0.5)
}
