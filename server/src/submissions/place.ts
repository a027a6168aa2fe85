import type { JobId } from '../runtime/identifiers.ts'

/** A place at an idle worker of this node, for a job that is about to be queued. It is free again once it is disposed of without a job. */
export interface Place extends Disposable {
  /** The job is committed with a lease of this owner. */
  readonly owner: string
  readonly leaseMs: number
  /** The worker starts the job, which is committed. */
  handOver(jobId: JobId): void
}
