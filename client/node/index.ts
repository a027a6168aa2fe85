export { evidenceFile } from './evidence-file.ts'
export { fileSink } from './file-sink.ts'
export { seal, type SealedKit, type SealOptions, type SealProgress } from './seal.ts'
export { useEnvProxy } from './env-proxy.ts'
