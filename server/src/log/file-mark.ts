import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import { reportDurable } from '../runtime/durable.ts'
import { entryName, headOf, headLine, highestOf, type LogHead, type LogMark } from './log-mark.ts'

/**
 * One empty file per entry, named by it, so that no writer can lower the mark. Entries below the former highest one are removed:
 * a reader that lists the folder meanwhile sees that one or the new one.
 */
export function fileMark(folder: string, name: string): LogMark {
  const location = join(folder, name)
  let isMade = false

  async function list(): Promise<readonly LogHead[]> {
    const names = await readdir(location).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.map(headOf).filter((head) => head !== undefined)
  }

  return {
    location,
    read: list,
    async record(head) {
      const former = await list()
      if (!isMade) {
        await makeFolder(location)
        await syncFolder(folder)
        isMade = true
      }
      // Another process may have written the entry without having synced it yet.
      await (await open(join(location, entryName(head)), 'a', 0o600)).close()
      await syncFolder(location)
      reportDurable('file')
      const [highest] = highestOf(former)
      for (const known of former)
        if (known.size < (highest?.size ?? 0) && headLine(known) !== headLine(head))
          await rm(join(location, entryName(known)), { force: true })
    },
  }
}

export async function canCreate(folder: string): Promise<boolean> {
  try {
    await makeFolder(folder)
    return true
  } catch {
    return false
  }
}
