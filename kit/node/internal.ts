/** For the packages beside this one. None of it is promised. */
export * from './index.ts'
export { describeError, fileSource, type FileSource, readSmallFile } from './read-files.ts'
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
export { listFolder, type LocalFile, measureFiles, measureFolder } from './measure-folder.ts'
export { KeyFileError, nodeSigner, readSecret, secretFileName } from './read-keys.ts'
export { oscalResults } from './oscal-results.ts'
export { type FileKit, sealFiles, writeKit } from './seal-folder.ts'
export { startPage, verifierPage } from './verifier-page.ts'
