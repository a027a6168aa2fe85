import { join } from 'node:path'
import { fileMark } from '../src/log/high-water-mark.ts'
import type { LogMarks } from '../src/log/high-water-mark.ts'

/** High-water marks in a folder. */
export function marksIn(folder: string): LogMarks {
  return { of: async ({ kid }) => fileMark(join(folder, 'marks'), kid), isOnlyMark: true }
}
