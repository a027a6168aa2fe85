/** The evidence rules, with the parts that need Node.js: profiles on disk, virus scanning, streaming decompression. */
export * from '../src/index.ts'
export { clamavScanner, type ClamavOptions } from './clamav.ts'
export { inflateInPieces } from './inflate-in-pieces.ts'
export { loadProfiles, PROFILES_FOLDER, ProfilesUnreadable } from './load-profiles.ts'
