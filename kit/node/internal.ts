/** For the packages beside this one. None of it is promised. */
export * from './index.ts'
export { describeError, fileSource, type FileSource, readSmallFile, type SmallFile } from './read-files.ts'
export {
  allowsOthers,
  isInside,
  makeFolder,
  platform,
  type Platform,
  platformOf,
  processSpace,
  syncFolder,
  threadId,
  userFolder,
} from './platform.ts'
export {
  type FoundProblem,
  type ListedFolder,
  listFolder,
  type LocalFile,
  type MeasuredFiles,
  measureFiles,
  measureFolder,
} from './measure-folder.ts'
export { KeyFileError, type KeyFileProblem, nodeSigner, readSecret, secretFileName } from './read-keys.ts'
export type { OpenKitOptions } from './open-kit.ts'
export { oscalResults, type OscalInput } from './oscal-results.ts'
export { type FileKit, sealFiles, type TemporaryFileGuard, writeKit } from './seal-folder.ts'
export { type PresetAnchor, startPage, verifierPage } from './verifier-page.ts'
