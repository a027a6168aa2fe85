import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { clamavScanner } from '@kitseal/evidence/node'
import { loadProfiles } from '@kitseal/evidence/node'
import type { Identifiers } from '../identifiers.ts'
import { discardKit } from '../kits/seal-kit.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { Store } from '../open-store.ts'
import { finishSubmission } from '../submissions/finish-submission.ts'
import { makeKit } from './make-kit.ts'
import type { EventLog } from '../logger.ts'
import type { WorkContext } from './work-on-job.ts'
import { type PoisonJobs, unexaminable } from './thread-crashes.ts'
import { startWorker, type Worker } from './worker.ts'

export interface WorkOptions {
  readonly config: Config
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly issuer: string
  /** The start page of each kit. */
  readonly page: StoredObject
  readonly owner: string
  readonly concurrency: number
  readonly log: EventLog
  readonly ended: WorkContext['ended']
  readonly poisonJobs?: PoisonJobs
  /** Called when a job takes too long. */
  readonly overdue?: (jobId: string) => void
}

/** A gibibyte of evidence on a slow disk takes a fraction of this. */
const MAX_JOB_MS = 30 * 60_000

/** Starts a worker that makes kits with this store. */
export function runWork(store: Store, options: WorkOptions): Worker {
  const { config, clock, identifiers, issuer, page, owner, log, ended } = options
  const { db, objects, signingKeys } = store
  const scanner = config.clamav === undefined ? undefined : clamavScanner({ address: config.clamav })
  const profiles = loadProfiles()
  const sealing = { db, objects, signingKeys, clock, identifiers, issuer, startPage: page }
  return startWorker(
    {
      db,
      clock,
      owner,
      leaseMs: config.leaseSeconds * 1000,
      maxAttempts: config.maxAttempts,
      makeKit: async (job) => {
        const cause = options.poisonJobs?.[job.job_id]
        if (cause !== undefined) return { is: 'blocked', blockers: [unexaminable(cause)] }
        const timeout = setTimeout(() => options.overdue?.(job.job_id), MAX_JOB_MS).unref()
        try {
          return await makeKit({ ...sealing, profiles, scanner }, job)
        } finally {
          clearTimeout(timeout)
        }
      },
      settle: finishSubmission,
      discard: (kit) => discardKit(objects, kit),
      log,
      ended,
    },
    options.concurrency,
  )
}
