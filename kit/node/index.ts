export { nodeHost } from './node-host.ts'
export { type NodeSigner, readKeySet, readPrivateKey } from './read-keys.ts'
export { openKit, verifyKitFile } from './open-kit.ts'
export { sealFolder, type SealOptions } from './seal-folder.ts'
