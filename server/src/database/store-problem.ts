import type { Config } from '../config.ts'
import { MACHINE_FAILURES } from '../machine-failures.ts'
import { databaseProblem } from './database-problem.ts'
import { sqliteFile } from './sqlite.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/** What an operator is told of a store, or of the machine that it is on; undefined where neither is what is wrong. */
export function storeProblem(error: unknown, place: Place): string | undefined {
  const ofDatabase = databaseProblem(error, place)
  if (ofDatabase !== undefined || !(error instanceof Error)) return ofDatabase
  if (error.name === 'NewerStore') return error.message
  const code = String((error as NodeJS.ErrnoException).code)
  const said = PROBLEMS.find(([codes]) => codes.test(code))?.[1]
  if (said !== undefined) return said(error.message, sqliteFile(place))
  return (MACHINE_FAILURES as readonly string[]).includes(code) ? error.message : undefined
}

type Said = (message: string, file: string) => string

const PROBLEMS: readonly (readonly [RegExp, Said])[] = [
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL)$/,
    (message) => `there is no room left (${message}). Make room, then begin again.`,
  ],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY.*|SQLITE_CANTOPEN.*)$/,
    (message) =>
      `not allowed (${message}). Run it as the user that the service runs as, where that user may write.`,
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    (_, file) => `${file} is held by another process: a move, perhaps. Begin again when that has ended.`,
  ],
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    (_, file) => `${file} is not a readable database. Restore it from a backup, into another folder.`,
  ],
  [/^(EEXIST|ENOTDIR|ENOENT)$/, (message) => `a folder is needed there (${message}). Name another.`],
]
