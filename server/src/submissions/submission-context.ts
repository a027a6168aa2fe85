import type { Context } from '../kits/context.ts'
import type { Db } from '../database/schema.ts'
import type { ShippedProfiles } from './find-profile.ts'
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
  /** Refuses files that must not be added to a draft. */
  admit?(db: Db, to: AdmittedTo, names: readonly string[], isFinal: boolean): Promise<void>
}

/** The draft that files are added to. */
export type AdmittedTo = Pick<SubmissionView, 'submission_id' | 'series' | 'evidence_request_id'>

/** What resumable uploads need. */
export type UploadContext = Pick<SubmissionContext, 'db' | 'clock' | 'objects' | 'node'>
