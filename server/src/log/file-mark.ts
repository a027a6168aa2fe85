import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/internal/node'
import { syncFolder } from '@kitseal/kit/internal/node'
import { reportDurable } from '../runtime/durable.ts'
import { headLine, highestOf, type LogHead, type LogMark, parseHead } from './log-mark.ts'

/** Beyond this size, about 150 entries, only the largest one is kept. The file is read several times for each checkpoint. */
const MAX_BYTES = 8192
const MAX_READS = 100
/** Ends a line that was not written completely, so that it never counts. */
const TORN = '#'

/** The file as this process read it last. */
interface Seen extends Pick<Stats, 'ino' | 'size' | 'mtimeMs'> {
  readonly heads: readonly LogHead[]
  /** Whether the last line is complete. */
  readonly isWhole: boolean
}

/** One line per entry, appended and synced. A line that was not written completely does not count. */
export function fileMark(folder: string, name: string): LogMark {
  const path = join(folder, name)
  let seen: Seen | undefined

  const inspect = (): Promise<Stats | undefined> => stat(path).catch(missing)

  /** Another process may replace the file meanwhile, and not see the lines. Then they are written again. */
  async function append(lines: readonly string[]): Promise<void> {
    for (;;) {
      const before = await inspect()
      const known = isSame(seen, before) ? seen : undefined
      // If the end of the file is not known, it may be a line that was not written completely.
      const start = before === undefined || before.size === 0 || known?.isWhole === true ? '' : `${TORN}\n`
      const text = start + lines.map((line) => `${line}\n`).join('')
      const written = await write(text)
      const after = await inspect()
      if (before === undefined) await syncFolder(folder)
      if (after?.ino !== written.ino) continue
      if (known !== undefined && after.size === known.size + text.length)
        seen = seenAs(after, [...known.heads, ...parseLines(text)], true)
      return
    }
  }

  /** Appends to the file, and returns which one it was. */
  async function write(text: string): Promise<Pick<Stats, 'ino'>> {
    await using file = await open(path, 'a', 0o600)
    await file.write(text)
    await file.datasync()
    reportDurable('file')
    return file.stat()
  }

  async function sync(): Promise<void> {
    await using file = await open(path, 'a', 0o600)
    await file.datasync()
  }

  /** Starts a new file. Until it has the largest entry, readers see the old file too. */
  async function compact(): Promise<void> {
    await rename(path, `${path}.old-${randomUUID()}`).catch(missing)
    // Also those of processes that ended in between.
    for (const old of await oldFiles()) {
      const heads = parseLines((await readFile(old, 'utf8').catch(missing)) ?? '')
      if (heads.length > 0) await append(highestOf(heads).map(headLine))
      await rm(old, { force: true })
    }
    await syncFolder(folder)
  }

  async function oldFiles(): Promise<readonly string[]> {
    const names = (await readdir(folder).catch(missing)) ?? []
    return names.filter((each) => each.startsWith(`${name}.old-`)).map((each) => join(folder, each))
  }

  async function read(): Promise<readonly LogHead[]> {
    for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
      const before = await inspect()
      if (seen !== undefined && isSame(seen, before)) return seen.heads
      const text = (await readFile(path, 'utf8').catch(missing)) ?? ''
      const older: string[] = []
      for (const old of await oldFiles()) older.push((await readFile(old, 'utf8').catch(missing)) ?? '')
      const after = await inspect()
      if (before?.ino !== after?.ino || before?.size !== after?.size) continue
      const heads = parseLines([...older.map(endLine), text].join(''))
      seen = after && seenAs(after, heads, text === '' || text.endsWith('\n'))
      return heads
    }
    throw new Error(`${path} is being changed all the time`)
  }

  async function add(line: string): Promise<void> {
    if (seen === undefined) await makeFolder(folder)
    await append([line])
    if ((seen?.size ?? MAX_BYTES) >= MAX_BYTES && ((await inspect())?.size ?? 0) > MAX_BYTES) await compact()
  }

  return {
    location: path,
    read,
    async record(head) {
      const line = headLine(head)
      // Another process may have written the line without having synced it yet.
      if ((await read()).some((known) => headLine(known) === line)) return sync()
      await add(line)
    },
  }
}

/** A line that was not written completely does not count. */
function parseLines(text: string): readonly LogHead[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map(parseHead).filter((head) => head !== undefined)
}

/** Ends a line that was not written completely. */
const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}${TORN}\n`)

function seenAs({ ino, size, mtimeMs }: Stats, heads: readonly LogHead[], isWhole: boolean): Seen {
  return { ino, size, mtimeMs, heads, isWhole }
}

function isSame(seen: Seen | undefined, now: Stats | undefined): boolean {
  return seen?.ino === now?.ino && seen?.size === now?.size && seen?.mtimeMs === now?.mtimeMs
}

function missing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

export async function canCreate(folder: string): Promise<boolean> {
  try {
    await makeFolder(folder)
    return true
  } catch {
    return false
  }
}
