/** The rules for evidence, for whoever wants them without the service: `@kitseal/server/evidence`. */
export { checkFiles, type CheckResult, type FilesToCheck } from './check-files.ts'
export { DEFAULT_UPLOAD_BYTES } from './limits.ts'
export { loadProfiles, PROFILES_FOLDER } from './load-profiles.ts'
export { inflateInPieces } from './object-surroundings.ts'
export { parseProfile, type Profile } from './profile.ts'
export { type Blocker, blocker, type Finding, RULES } from './rules.ts'
