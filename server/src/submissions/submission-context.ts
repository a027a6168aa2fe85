import type { Context } from '../kits/context.ts'
import type { ShippedProfiles } from './find-profile.ts'
import type { Queue } from './job-queue.ts'
import type { SubmissionQueries } from './submission-queries.ts'

export interface SubmissionContext extends Context {
  readonly submissions: SubmissionQueries
  /** Notified of every job that is ready for a worker. */
  readonly queue: Pick<Queue, 'added' | 'refuseWhenFull' | 'retryAfter'>
  /** The profiles that ship with the service. */
  readonly profiles: ShippedProfiles
  /** The name of this process. */
  readonly node: string
}

/** What resumable uploads need. */
export type UploadContext = Pick<SubmissionContext, 'db' | 'clock' | 'objects' | 'node'>
