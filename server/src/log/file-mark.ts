import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import { syncFolder } from '../objects/filesystem-objects.ts'
import { headLine, highestOf, type LogHead, type LogMark, parseHead } from './log-mark.ts'

/** Beyond this size, about 150 entries, only the largest one is kept. The file is read several times for each checkpoint. */
const MAX_BYTES = 8192
const MAX_READS = 100
/** Ends a line that was not written completely, so that it never counts. */
const TORN = '#'

/** One line per entry, appended and synced. A line that was not written completely does not count. */
export function fileMark(folder: string, name: string): LogMark {
  const path = join(folder, name)

  async function append(heads: readonly LogHead[]): Promise<void> {
    for (;;) {
      await using file = await openToAppend(path)
      const { ino, size } = await file.stat()
      const lines = heads.map((head) => `${headLine(head)}\n`).join('')
      await file.appendFile((await endsWithLine(file, size)) ? lines : `${TORN}\n${lines}`)
      await file.datasync()
      if (size === 0) await syncFolder(folder)
      // Otherwise another process has replaced the file meanwhile, and may not have seen the line.
      if ((await stat(path).catch(missing))?.ino === ino) return
    }
  }

  async function sync(): Promise<void> {
    await using file = await openToAppend(path)
    await file.datasync()
  }

  /** Starts a new file. Until it has the largest entry, readers see the old file too. */
  async function compact(): Promise<void> {
    await rename(path, `${path}.old-${randomUUID()}`).catch(missing)
    // Also those of processes that ended in between.
    for (const old of await oldFiles()) {
      const text = await readFile(old, 'utf8').catch(missing)
      const highest = highestOf(headsIn(text ?? ''))
      if (highest.length > 0) await append(highest)
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
      const before = await stat(path).catch(missing)
      const texts = [await readFile(path, 'utf8').catch(missing)]
      for (const old of await oldFiles()) texts.push(await readFile(old, 'utf8').catch(missing))
      const after = await stat(path).catch(missing)
      if (before?.ino === after?.ino && before?.size === after?.size)
        return texts.flatMap((text) => headsIn(text ?? ''))
    }
    throw new Error(`${path} is being changed all the time`)
  }

  return {
    location: path,
    read,
    async record(head) {
      await makeFolder(folder)
      const isRecorded = (await read()).some((known) => headLine(known) === headLine(head))
      // Another process may have written the line without having synced it yet.
      if (isRecorded) return sync()
      await append([head])
      if (((await stat(path).catch(missing))?.size ?? 0) > MAX_BYTES) await compact()
    },
  }
}

const openToAppend = (path: string) => open(path, 'a+', 0o600)

async function endsWithLine(file: Awaited<ReturnType<typeof openToAppend>>, size: number): Promise<boolean> {
  if (size === 0) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

function headsIn(text: string): readonly LogHead[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parseHead(line) ?? [])
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
