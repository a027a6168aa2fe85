import type { Context } from '../context.ts'
import type { Queue } from '../intake/job-queue.ts'

export interface SubmissionContext extends Context {
  /** Notified of every job that is ready for a worker. */
  readonly queue: Pick<Queue, 'added' | 'refuseWhenFull'>
  /** Names of the available profiles. */
  readonly profiles: ReadonlySet<string>
  /** The name of this process. */
  readonly node: string
}

/** What resumable uploads need. */
export type UploadContext = Pick<SubmissionContext, 'db' | 'clock' | 'objects' | 'node'>
