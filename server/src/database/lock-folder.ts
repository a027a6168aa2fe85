import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/internal/node'
import BetterSqlite3 from 'better-sqlite3'

interface Held {
  readonly lock: Disposable
  nodes: number
}

/** By this process. Its nodes have the same settings, and so the same high-water mark of the log. */
const held = new Map<string, Held>()

/**
 * Keeps the service of another process out of a data folder. The lock is one of the operating system on a database of its own, so
 * it ends with the process, however that ends.
 */
export async function lockFolder(folder: string): Promise<Disposable> {
  await makeFolder(folder)
  const path = lockFile(folder)
  const own = held.get(path) ?? { lock: takeLock(folder) ?? refuse(folder), nodes: 0 }
  held.set(path, own)
  own.nodes += 1
  return {
    [Symbol.dispose]: () => {
      own.nodes -= 1
      if (own.nodes > 0) return
      held.delete(path)
      own.lock[Symbol.dispose]()
    },
  }
}

const lockFile = (folder: string): string => join(folder, 'serve.lock')

/** Undefined if a service uses the folder. */
export function takeLock(folder: string): Disposable | undefined {
  // SQLite gives its journal the mode of this file.
  closeSync(openSync(lockFile(folder), 'a', 0o600))
  const lock = new BetterSqlite3(lockFile(folder), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return { [Symbol.dispose]: () => void lock.close() }
  } catch (error) {
    lock.close()
    if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY') throw error
    return undefined
  }
}

function refuse(folder: string): never {
  throw new Error(
    `${folder} is in use by another kitseal service. Stop that one, or choose another folder with --data.`,
  )
}
