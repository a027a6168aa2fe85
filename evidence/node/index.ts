/** Evidence rules, and the parts that need Node.js: profiles on disk, virus scanning, streaming decompression. */
export * from '../src/index.ts'
export { clamavScanner, type ClamavOptions } from './clamav.ts'
export { zlibInflate } from './zlib-inflate.ts'
export { loadProfiles, PROFILES_FOLDER, ProfilesUnreadable } from './load-profiles.ts'
