/** Evidence rules, and the parts that need Node.js: profiles on disk and virus scanning. */
export * from '../src/index.ts'
export { clamavScanner } from './clamav.ts'
export { loadProfiles } from './load-profiles.ts'
export { type FileOnDisk, startReadingAhead } from './read-ahead.ts'
