export { evidenceFile } from './evidence-file.ts'
export { fileSink } from './file-sink.ts'
export { useEnvProxy } from './env-proxy.ts'
