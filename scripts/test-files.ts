import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.dirname(import.meta.dirname)
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.git'])
/** A test file that only one command runs says so in a comment with its reason. */
const ONLY_IN = /^\/\/ Only in (test:all|test:s3): (\S.*)$/m

/** Files of the project that match a glob pattern, as sorted relative paths. */
export const projectFiles = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (name) => SKIPPED_FOLDERS.has(path.basename(name)) }).toSorted()

/** The only command that runs a test file, and why. Undefined if it has no such comment. */
export function onlyIn(file: string): { readonly command: string; readonly reason: string } | undefined {
  const [, command, reason] = ONLY_IN.exec(readFileSync(path.join(root, file), 'utf8')) ?? []
  return command === undefined || reason === undefined ? undefined : { command, reason }
}

/** Tests that `npm run test:ci` runs again, on PostgreSQL. */
export const ON_POSTGRES = [
  'server/src/access/console-sessions.test.ts',
  'server/src/access/leavers.test.ts',
  'server/src/http/operation.test.ts',
  'server/src/log/log.test.ts',
  'server/src/submissions/submissions-credits.test.ts',
  'server/src/work/passed-jobs.test.ts',
  'server/test/statements.test.ts',
]

/** Tests that `npm run test:s3` runs again, on PostgreSQL and S3. */
export const ON_S3 = [
  'server/src/maintenance/backup-records.test.ts',
  'server/src/maintenance/1',
  'server/src/maintenance/expire-kits.test.ts',
  'server/src/maintenance/move-store.test.ts',
  'server/src/maintenance/scrub-objects.test.ts',
  'server/src/maintenance/sweep-orphans.test.ts',
  'server/src/submissions/resumable-uploads.test.ts',
  'server/src/submissions/submissions-upload.test.ts',
  'server/src/submissions/submissions.test.ts',
  'server/test/1',
  'server/test/1',
  'server/test/journey.test.ts',
]
