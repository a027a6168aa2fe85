import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import { syncFolder } from '../objects/filesystem-objects.ts'
import { headLine, type LogMark, type MarkEntries } from './log-mark.ts'
import { announcedLine, keptLines, parseLines, withdrawnLine } from './mark-lines.ts'

/** Beyond this size, about 150 entries, only the largest one is kept. The file is read several times for each checkpoint. */
const MAX_BYTES = 8192
const MAX_READS = 100
/** Ends a line that was not written completely, so that it never counts. */
const TORN = '#'

/** The file as this process read it last. */
interface Seen extends Pick<Stats, 'ino' | 'size' | 'mtimeMs'> {
  readonly entries: MarkEntries
  /** Whether the last line is complete. */
  readonly isWhole: boolean
}

/** One line per entry, appended and synced. A line that was not written completely does not count. */
export function fileMark(folder: string, name: string): LogMark {
  const path = join(folder, name)
  let seen: Seen | undefined

  const inspect = (): Promise<Stats | undefined> => stat(path).catch(missing)

  /** Another process may replace the file meanwhile, and not see the lines. Then they are written again. */
  async function append(lines: readonly string[], { isSynced = true } = {}): Promise<void> {
    for (;;) {
      const before = await inspect()
      const known = isSame(seen, before) ? seen : undefined
      // If the end of the file is not known, it may be a line that was not written completely.
      const start = before === undefined || before.size === 0 || known?.isWhole === true ? '' : `${TORN}\n`
      const text = start + lines.map((line) => `${line}\n`).join('')
      const written = await write(text, isSynced)
      const after = await inspect()
      if (before === undefined) await syncFolder(folder)
      if (after?.ino !== written.ino) continue
      if (known !== undefined && after.size === known.size + text.length)
        seen = seenAs(after, parseLines(text, known.entries), true)
      return
    }
  }

  /** Appends to the file, and returns which one it was. */
  async function write(text: string, isSynced: boolean): Promise<Pick<Stats, 'ino'>> {
    await using file = await open(path, 'a', 0o600)
    await file.write(text)
    if (isSynced) await file.datasync()
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
      const kept = keptLines(parseLines((await readFile(old, 'utf8').catch(missing)) ?? ''))
      if (kept.length > 0) await append(kept)
      await rm(old, { force: true })
    }
    await syncFolder(folder)
  }

  async function oldFiles(): Promise<readonly string[]> {
    const names = (await readdir(folder).catch(missing)) ?? []
    return names.filter((each) => each.startsWith(`${name}.old-`)).map((each) => join(folder, each))
  }

  async function readAll(): Promise<MarkEntries> {
    for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
      const before = await inspect()
      if (seen !== undefined && isSame(seen, before)) return seen.entries
      const text = (await readFile(path, 'utf8').catch(missing)) ?? ''
      const older: string[] = []
      for (const old of await oldFiles()) older.push((await readFile(old, 'utf8').catch(missing)) ?? '')
      const after = await inspect()
      if (before?.ino !== after?.ino || before?.size !== after?.size) continue
      const all = [...older.map(endLine), text].join('')
      const entries = parseLines(all)
      seen = after && seenAs(after, entries, text === '' || text.endsWith('\n'))
      return entries
    }
    throw new Error(`${path} is being changed all the time`)
  }

  async function add(line: string, options?: { readonly isSynced: boolean }): Promise<void> {
    if (seen === undefined) await makeFolder(folder)
    await append([line], options)
    if ((seen?.size ?? MAX_BYTES) >= MAX_BYTES && ((await inspect())?.size ?? 0) > MAX_BYTES) await compact()
  }

  return {
    location: path,
    readAll,
    read: async () => (await readAll()).heads,
    async record(head) {
      const line = headLine(head)
      // Another process may have written the line without having synced it yet.
      if ((await readAll()).heads.some((known) => headLine(known) === line)) return sync()
      await add(line)
    },
    async confirm(head) {
      const line = headLine(head)
      if ((await readAll()).heads.some((known) => headLine(known) === line)) return
      // The announcement before it is synced, and the next one syncs this line too.
      await add(line, { isSynced: false })
    },
    async announce(head) {
      await readAll()
      await add(announcedLine(head))
    },
    withdraw: (head) => add(withdrawnLine(head)),
  }
}

/** Ends a line that was not written completely. */
const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}${TORN}\n`)

function seenAs({ ino, size, mtimeMs }: Stats, entries: MarkEntries, isWhole: boolean): Seen {
  return { ino, size, mtimeMs, entries, isWhole }
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
