import type { Config } from '@kitseal/server'
import { type OptionKind, type ReadArguments, readArguments } from '../arguments.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'
import { type Answer, answerOnData } from './admin-answer.ts'

/** A command on the whole of a store: `kitseal admin scrub`, `backup`, `restore`, `move`. */
export interface StoreTask {
  readonly name: string
  readonly usage: string
  readonly options: Readonly<Record<string, OptionKind>>
  /** What each word is, as the usage calls it. */
  readonly words: readonly string[]
  /** Whether there has to be a store already. */
  readonly onStore: boolean
  readonly problems?: (read: ReadArguments<string>) => readonly string[]
  readonly perform: (config: Config, read: ReadArguments<string>, progress: Progress) => Promise<Answer>
}

export type Progress = (text: string) => void

export async function runTask(task: StoreTask, args: readonly string[], terminal: Terminal): Promise<number> {
  const command = `admin ${task.name}`
  if (args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(task.usage)
    return EXIT.ok
  }
  const read = readArguments<string>(args, { ...task.options, data: 'one', json: 'flag' })
  const missing = task.words.slice(read.words.length).map((word) => `it needs ${word}`)
  const extra = read.words
    .slice(task.words.length)
    .map((word) => `${JSON.stringify(word)} is not expected here`)
  const wrong = [...read.problems, ...missing, ...extra, ...(task.problems?.(read) ?? [])]
  if (wrong.length > 0) return usageError(terminal, command, wrong)
  return answerOnData({ command, read, onStore: task.onStore }, terminal, async (config) => {
    const progress = progressOn(terminal)
    try {
      return await task.perform(config, read, progress.tell)
    } finally {
      progress.clear()
    }
  })
}

const REDRAW_MS = 100

/** One line on stderr, for a person who is waiting; nothing for a pipe. */
function progressOn({ stderr }: Terminal): { readonly tell: Progress; clear(): void } {
  let drawnAt = 0
  return {
    tell: (text) => {
      const now = performance.now()
      if (stderr.isTTY !== true || now - drawnAt < REDRAW_MS) return
      drawnAt = now
      stderr.write(`\r\u001b[K${text}`)
    },
    clear: () => {
      if (drawnAt > 0) stderr.write('\r\u001b[K')
    },
  }
}
