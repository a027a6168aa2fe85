export { nodeHost } from './node-host.ts'
export { nodeSigner } from './node-signer.ts'
export { openKit, type OpenKitOptions } from './open-kit.ts'
export { fileSource, type FileSource } from './file-source.ts'
