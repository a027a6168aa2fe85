export { askAllWitnesses } from './ask-all-witnesses.ts'
export { type LogStatus, type MarkProblem, readLogStatus } from './log-status.ts'
export { type Resumed, resumeLog } from './resume-log.ts'
export { ExportRefused, exportLog } from './export-log.ts'
