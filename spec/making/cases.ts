import type { Cases } from './case.ts'
import { changedFiles } from './cases/changed-files.ts'
import { validArchives } from './cases/valid-archives.ts'
import { validKits } from './cases/valid-kits.ts'

/** Every vector. A change to the format starts here. */
export const CASES: Cases = {
  valid: [...validKits, ...validArchives],
  tampered: [...changedFiles],
  malformed: [],
}
