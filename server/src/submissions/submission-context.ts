import type { Context } from '../kits/context.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { ShippedProfiles } from './profiles.ts'
import type { Queue } from './job-queue.ts'
import type { SubmissionView } from './submission.ts'
import type { SubmissionQueries } from './submission-queries.ts'

export interface SubmissionContext extends Context {
  readonly submissions: SubmissionQueries
  /** Notified of every job that is ready for a worker. */
  readonly queue: Pick<Queue, 'added' | 'refuseWhenFull' | 'retryAfter'>
  /** The profiles that ship with the service. */
  readonly profiles: ShippedProfiles
  /** The name of this process. */
  readonly node: string
  /** Refuses files that must not be added to the draft of a request, and one that must not be submitted. */
  admit?(db: Db, files: Admitted, caller: WorkspaceCaller): Promise<void>
}

export interface Admitted extends Pick<SubmissionView, 'request_id'> {
  readonly names: readonly string[]
  readonly isFinal: boolean
}
