import { generateKeyPairSync, sign } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { quantile } from '../report.ts'

/** What a piece of work cannot do without: so many commits, so many files of their own, and one signature. */
export interface Durable {
  /** Pages appended to one file, and synced: what a database does to commit. */
  readonly commits: number
  /** Files written, synced and named, and their folder synced. */
  readonly files: number
}

const PAGE = Buffer.alloc(4096 + 24, 1)
const MESSAGE = Buffer.alloc(1024, 2)

/** The middle time that it takes on this disk, in milliseconds. */
export function timeOfDurable(place: string, { commits, files }: Durable, rounds: number): number {
  mkdirSync(place)
  const { privateKey } = generateKeyPairSync('ed25519')
  const log = openSync(join(place, 'log'), 'a')
  const folder = openSync(place, 'r')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    for (let commit = 0; commit < commits; commit++) {
      writeSync(log, PAGE)
      fdatasyncSync(log)
    }
    for (let count = 0; count < files; count++) {
      const file = openSync(join(place, `object-${round}-${count}`), 'wx')
      writeSync(file, PAGE)
      fsyncSync(file)
      closeSync(file)
      fsyncSync(folder)
    }
    sign(null, MESSAGE, privateKey)
    times.push(performance.now() - started)
  }
  closeSync(log)
  closeSync(folder)
  rmSync(place, { recursive: true })
  return quantile(times, 0.5)
}
