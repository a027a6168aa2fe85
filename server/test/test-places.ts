import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Environment } from '../src/index.ts'
import { fileMark } from '../src/log/file-mark.ts'
import type { LogMarks } from '../src/log/mark-guard.ts'

/** Settings for the object store: its own prefix in the S3 store of `KITSEAL_TEST_OBJECTS`, if set. */
export function ownPlaces(): Environment & Readonly<Record<string, string>> {
  const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
  if (objects === '') return {}
  const [place = '', query = ''] = objects.split('?', 2)
  return { KITSEAL_OBJECTS: `${place}/${randomUUID()}?${query}` }
}

/** High-water marks in a folder. */
export function marksIn(folder: string): LogMarks {
  return { of: async ({ kid }) => fileMark(join(folder, 'marks'), kid), isOnlyMark: true }
}
