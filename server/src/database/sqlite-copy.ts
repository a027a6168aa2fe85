import { rmSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

/** A consistent copy of the embedded store, as it was when the copy ended; the service may be running meanwhile. */
export async function copySqlite(file: string, to: string): Promise<void> {
  const source = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    removeSqlite(to)
    await source.backup(to)
  } finally {
    source.close()
  }
}

/** The embedded store in one hand: nobody else has it open, and nobody can open it until it is closed. */
export interface LockedSqlite extends Disposable {
  copy(to: string): Promise<void>
}

/** Undefined where another process has it open. */
export function lockSqlite(file: string): LockedSqlite | undefined {
  const held = new BetterSqlite3(file, { fileMustExist: true, timeout: 500 })
  try {
    held.pragma('locking_mode = EXCLUSIVE')
    held.exec('begin exclusive')
    held.exec('commit')
  } catch (error) {
    held.close()
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))
      return undefined
    throw error
  }
  return {
    copy: async (to) => {
      removeSqlite(to)
      await held.backup(to)
    },
    [Symbol.dispose]: () => void held.close(),
  }
}

export function removeSqlite(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true })
}
