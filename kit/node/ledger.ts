import { readSync, writeSync } from 'node:fs'

/** The SHA-256 of each entry of a run, null for a folder's; or null in all where something about the run is not right. */
export type RunHashes = readonly (string | null)[] | null

/** A claim, or with hashes what came of it. */
type Line = readonly [who: number, run: number, hashes?: RunHashes]

/**
 * A file that several processes append to, to share work out among themselves. What a process appends comes whole, and
 * behind all that was there: of two that claim the same run, both see who was first. So nobody asks anybody, and a
 * process that never came up is missed by no one. Where the file fails, what it said before still counts.
 */
export class Ledger {
  readonly #file: number
  readonly #who: number
  readonly #claimed = new Map<number, number>()
  readonly #reported = new Map<number, RunHashes>()
  #readBytes = 0
  #hasFailed = false

  constructor(file: number, who: number) {
    this.#file = file
    this.#who = who
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** The first of `runs` that nobody has taken, which is now this process's; undefined where none is left. */
  claim(runs: number): number | undefined {
    for (let run = 0; run < runs && !this.#hasFailed; run++) {
      if (this.#claimed.has(run)) continue
      this.#append([this.#who, run])
      this.#read()
      if (this.#claimed.get(run) === this.#who) return run
    }
    return undefined
  }

  report(run: number, hashes: RunHashes): void {
    this.#append([this.#who, run, hashes])
  }

  /** What all processes have reported so far. */
  reported(): ReadonlyMap<number, RunHashes> {
    this.#read()
    return this.#reported
  }

  #append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.#try(() => {
      if (writeSync(this.#file, bytes) !== bytes.length) throw new Error('the disk is full')
    })
  }

  #read(): void {
    this.#try(() => {
      const text = readFrom(this.#file, this.#readBytes)
      // A line that another process is just writing may be there in part.
      const whole = text.slice(0, text.lastIndexOf('\n') + 1)
      this.#readBytes += whole.length
      for (const line of whole.split('\n').slice(0, -1)) {
        const [who, run, hashes] = JSON.parse(line) as Line
        if (hashes !== undefined) this.#reported.set(run, hashes)
        else if (!this.#claimed.has(run)) this.#claimed.set(run, who)
      }
    })
  }

  #try(step: () => void): void {
    if (this.#hasFailed) return
    try {
      step()
    } catch {
      this.#hasFailed = true
    }
  }
}

function readFrom(file: number, from: number): string {
  const chunk = Buffer.allocUnsafe(64 * 1024)
  let text = ''
  for (;;) {
    const got = readSync(file, chunk, 0, chunk.length, from + text.length)
    // Numbers, hex and brackets alone: one byte is one character.
    text += chunk.toString('latin1', 0, got)
    if (got < chunk.length) return text
  }
}
