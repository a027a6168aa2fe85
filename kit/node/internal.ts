/** For the packages beside this one. None of it is promised. */
export * from './index.ts'
export { describeError } from './describe-error.ts'
export { fileSource, type FileSource } from './file-source.ts'
export { makeFolder } from './make-folder.ts'
export {
  listFolder,
  type ListedFolder,
  type LocalFile,
  measureFiles,
  type MeasuredFiles,
  measureFolder,
} from './measure-folder.ts'
export { nodeSigner } from './node-signer.ts'
export type { OpenKitOptions } from './open-kit.ts'
export { KeyFileError, type KeyFileProblem } from './read-keys.ts'
export { oscalResults, type OscalInput } from './oscal-results.ts'
export { readSecret, secretFileName } from './read-secret.ts'
export { readSmallFile, type SmallFile } from './read-small-file.ts'
export { allowsOthers, isInside, platform, platformOf, type Platform } from './platform.ts'
export { processSpace, syncFolder, threadId, userFolder } from './platform.ts'
export { type FileKit, sealFiles, writeKit } from './seal-folder.ts'
export { type PresetAnchor, startPage, verifierPage } from './verifier-page.ts'
export type { FoundProblem } from './walk-folder.ts'
export type { TemporaryFileGuard } from './write-zip.ts'
