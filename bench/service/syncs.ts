import { generateKeyPairSync, sign } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { quantile } from '../report.ts'

/** What a piece of work cannot do without: so many commits, so many files of their own, and one signature. */
export interface Durable {
  readonly commits: number
  readonly files: number
}

const PAGE = Buffer.alloc(4096 + 24, 1)
const MESSAGE = Buffer.alloc(1024, 2)

/** A folder in which things are kept for certain, by as few calls as that takes. */
export interface SyncedFolder extends Disposable {
  /** A page appended to one file, and synced: what a database does to commit. */
  commit(): void
  /** A file written, synced and named, and its folder synced. */
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

/** The middle time that it takes on this disk, in milliseconds. */
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
