import type { FindingRecord } from '@kitseal/evidence'
import type { Kysely } from 'kysely'
import type { Database, JobsTable, KitsTable } from '../database/schema.ts'
import type { SealedJobKit } from '../kits/seal-kit.ts'
import type { Blocker } from './blockers.ts'

/** How work on a job ends: with a sealed kit, or with every reason why there is none. */
export type JobOutcome =
  | {
      readonly is: 'kit'
      readonly kit: SealedJobKit
      readonly findings?: readonly FindingRecord[]
      /** Stored together with the kit. */
      readonly also?: (trx: Kysely<Database>) => Promise<void>
    }
  | {
      readonly is: 'blocked'
      readonly blockers: readonly Blocker[]
      readonly findings?: readonly FindingRecord[]
    }

/** Records what else follows from the end of a job, in the same transaction. */
export interface FinishJob {
  issued(
    trx: Kysely<Database>,
    job: Readonly<JobsTable>,
    kit: Pick<KitsTable, 'kit_id'>,
    now: string,
  ): Promise<void>
  failed(
    trx: Kysely<Database>,
    job: Readonly<JobsTable>,
    blockers: readonly Blocker[],
    now: string,
  ): Promise<void>
}
