import { rmSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

/** Makes a consistent copy of the database, as it was when the copy ended. The service may be running. */
export async function copySqlite(file: string, to: string): Promise<void> {
  const source = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    removeSqlite(to)
    await source.backup(to)
  } finally {
    source.close()
  }
}

/** An exclusively locked database: no other process has it open or can open it. */
export interface LockedSqlite extends Disposable {
  copy(to: string): Promise<void>
}

/** Returns undefined if another process has the database open. */
export function lockSqlite(file: string): LockedSqlite | undefined {
  const locked = new BetterSqlite3(file, { fileMustExist: true, timeout: 500 })
  try {
    locked.pragma('locking_mode = EXCLUSIVE')
    locked.exec('begin exclusive')
    locked.exec('commit')
  } catch (error) {
    locked.close()
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))
      return undefined
    throw error
  }
  return {
    copy: async (to) => {
      removeSqlite(to)
      await locked.backup(to)
    },
    [Symbol.dispose]: () => void locked.close(),
  }
}

export function removeSqlite(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true })
}
