/** The rules for evidence in a page: memory and web standards alone. `@kitseal/server/evidence/in-browser`. */
export { checkFiles, type CheckResult, type FilesToCheck } from './check-files.ts'
export { inMemory } from './memory-surroundings.ts'
export { parseProfile, type Profile } from './profile.ts'
export type { Blocker } from './rules.ts'
