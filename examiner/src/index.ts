/** Evidence rules: what each file is, and what is wrong with it. Runs in Node and in browsers. */
export { checkFiles, type CheckResult, type FilesToCheck, type RecognisedFile } from './check-files.ts'
export { endingOf } from './detect/file-endings.ts'
export { examineFiles, type FilesToExamine } from './examine-files.ts'
export { detectContent, type FileType, fileType, typeOfEnding } from './file-types.ts'
export { DEFAULT_LIMITS, DEFAULT_UPLOAD_BYTES, type EvidenceLimits } from './limits.ts'
export { memoryPlatform } from './platform/platform.ts'
export type { Platform, ScannedFile, Scanner, ScanResult } from './platform/platform.ts'
export { checkName } from './file-names.ts'
export { isTar, plainTarPath, TAR_FILES, tarEntries } from './structures/tar.ts'
export { type ConfirmedFile, exampleOf, type ItemReport } from './profile/match-profile.ts'
export { parseProfile, type Profile, profileDocument, type ProfileItem } from './profile/profile.ts'
export { classProblem, type EvidencePolicy, type FindingClasses, OPEN_POLICY } from './policy.ts'
export { isSecretScanner, type RecognisedOutput } from './recognise/recognise.ts'
export { classificationReport, intakeReport } from './reports.ts'
export { parseSubmissionProvenance, statedFor } from './submission-provenance.ts'
export {
  acceptProblem,
  asBlocker,
  type Blocker,
  escapeInvisible,
  type FindingRecord,
  findingRecord,
  isBlocking,
  ownBlocker,
} from './findings.ts'
export { detailOf, type Finding, type FindingClass, type RuleCode, RULES } from './rules.ts'
export { itemIdProblem, MAX_ITEM_ID, parseDue, repeatedIds, type RequestedItem } from './request/item-list.ts'
