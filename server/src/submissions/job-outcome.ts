import type { FindingRecord } from '@kitseal/examiner'
import type { Db, JobsTable, KitsTable, SubmissionsTable } from '../database/schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { Blocker } from './blockers.ts'

/** How work on a job ends: with a sealed kit, or with every reason why there is none. */
export type JobOutcome =
  | MadeKit
  | {
      readonly is: 'blocked'
      readonly blockers: readonly Blocker[]
      readonly findings?: readonly FindingRecord[]
    }

export interface MadeKit {
  readonly is: 'kit'
  readonly kit: KitsTable
  readonly findings?: readonly FindingRecord[]
  /** Null if the job has no submission. */
  readonly submission?: JobSubmission | null
  /** Objects of the kit that are evidence of its submission, which refers to them already. */
  readonly evidence?: readonly string[]
  /** Stored together with the kit. */
  readonly also?: (trx: Db) => Promise<void>
}

export type JobSubmission = Pick<SubmissionsTable, 'submission_id' | 'replaces_kit_id' | 'series'>

/** A job whose kit is issued. */
export interface IssuedJob {
  readonly job: Readonly<JobsTable>
  readonly kitId: KitId
  /** Undefined if it has to be read. */
  readonly submission?: JobSubmission | null | undefined
}

/** Records what else follows from the end of jobs, in the same transaction. */
export interface FinishJob {
  issued(trx: Db, issued: readonly IssuedJob[], now: string): Promise<void>
  failed(trx: Db, job: Readonly<JobsTable>, blockers: readonly Blocker[], now: string): Promise<void>
}
