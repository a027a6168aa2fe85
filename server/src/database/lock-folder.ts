import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/internal/node'
import BetterSqlite3 from 'better-sqlite3'

interface Held {
  readonly lock: BetterSqlite3.Database
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
  const path = join(folder, 'serve.lock')
  const own = held.get(path) ?? { lock: takeLock(path, folder), nodes: 0 }
  held.set(path, own)
  own.nodes += 1
  return {
    [Symbol.dispose]: () => {
      own.nodes -= 1
      if (own.nodes > 0) return
      held.delete(path)
      own.lock.close()
    },
  }
}

function takeLock(path: string, folder: string): BetterSqlite3.Database {
  const lock = new BetterSqlite3(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY') throw error
    const text = `${folder} is in use by another kitseal service. Stop that one, or choose another folder with --data.`
    throw new Error(text, { cause: error })
  }
}
