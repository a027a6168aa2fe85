import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { clamavScanner } from '@kitseal/evidence/node'
import { loadProfiles } from '@kitseal/evidence/node'
import type { Identifiers } from '../identifiers.ts'
import { discardKit } from '../kits/seal-kit.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { Store } from '../open-store.ts'
import { settleSubmission } from '../submissions/settle-submission.ts'
import { makeKit } from './make-kit.ts'
import type { EventLog } from '../log.ts'
import type { WorkContext } from './work-on-job.ts'
import { type CondemnedJobs, unexaminable } from './thread-deaths.ts'
import { startWorker, type Worker } from './worker.ts'

export interface WorkOptions {
  readonly config: Config
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly issuer: string
  /** The verifier that travels in each kit. */
  readonly page: StoredObject
  readonly owner: string
  readonly concurrency: number
  readonly log: EventLog
  readonly ended: WorkContext['ended']
  readonly condemned?: CondemnedJobs
  /** A job takes longer than any job should. */
  readonly overdue?: (jobId: string) => void
}

/** A gibibyte of evidence on a slow disk is done in a fraction of this. */
const LONGEST_JOB_MS = 30 * 60_000

/** Joins a worker with what it works on: the store, the rules for evidence, the sealing of kits. */
export function runWork(store: Store, options: WorkOptions): Worker {
  const { config, clock, identifiers, issuer, page, owner, log, ended } = options
  const { db, objects, signingKeys } = store
  const scanner = config.clamav === undefined ? undefined : clamavScanner({ address: config.clamav })
  const profiles = loadProfiles()
  const sealing = { db, objects, signingKeys, clock, identifiers, issuer, verifierPage: page }
  return startWorker(
    {
      db,
      clock,
      owner,
      leaseMs: config.leaseSeconds * 1000,
      maxAttempts: config.maxAttempts,
      makeKit: async (job) => {
        const cause = options.condemned?.[job.job_id]
        if (cause !== undefined) return { is: 'blocked', blockers: [unexaminable(cause)] }
        const late = setTimeout(() => options.overdue?.(job.job_id), LONGEST_JOB_MS).unref()
        try {
          return await makeKit({ ...sealing, profiles, scanner }, job)
        } finally {
          clearTimeout(late)
        }
      },
      settle: settleSubmission,
      discard: (kit) => discardKit(objects, kit),
      log,
      ended,
    },
    options.concurrency,
  )
}
