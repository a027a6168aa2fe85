export { evidenceFile } from './files.ts'
export { fileSink } from './files.ts'
export { seal, type SealedKit, type SealOptions, type SealProgress } from './seal.ts'
