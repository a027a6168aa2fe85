import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import { loadProfiles } from '@kitseal/examiner/node'
import type { Identifiers } from '../runtime/identifiers.ts'
import { isShared } from '../database/dialect.ts'
import { cosigning } from '../log/cosign-checkpoints.ts'
import { freezeLog } from '../log/freeze-log.ts'
import { sequencerLease } from '../log/sequencer-lease.ts'
import { startSequencer } from '../log/start-sequencer.ts'
import { type GrowingLog, unwitnessedLog, witnessedLog } from '../log/witnessed-log.ts'
import type { ProofSources } from '../log/proof-sources.ts'
import { timeStamping } from '../log/time-stamp-checkpoints.ts'
import { discardKit, type FilesToSeal, type Sign } from '../kits/seal-kit.ts'
import { parseEntries } from '../kits/kit-entries.ts'
import type { ExamineInput } from '../submissions/examine-evidence.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { Store } from '../open-store.ts'
import type { FinishJob } from '../submissions/job-outcome.ts'
import { mailSubmitted, type RequestMailContext } from '../sharing/request-mail.ts'
import { programReports } from '../sharing/program-report.ts'
import { closePeriod, reopenPeriod } from '../sharing/seal-period.ts'
import { requestReports } from '../sharing/request-report.ts'
import { seriesReports } from '../submissions/series-report.ts'
import { finishSubmission } from '../submissions/finish-submission.ts'
import type { SubmissionKitContext } from '../submissions/make-submission-kit.ts'
import { submissionsToSeal } from '../submissions/submissions-to-seal.ts'
import { makeKit } from './make-kit.ts'
import type { Log } from '../runtime/logger.ts'
import { ownerIsGone } from '../runtime/lease-owner.ts'
import { claimingJobs } from './leases.ts'
import type { WorkContext } from './work-on-job.ts'
import type { CrewOfService } from './crew-functions.ts'
import { kitIssuer } from './issue-kits.ts'
import { jobSlots } from './job-slots.ts'
import { passingTogether } from './pass-jobs.ts'
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
  readonly proofSources?: ProofSources | undefined
  readonly log: Log
  readonly ended: WorkContext['ended']
  readonly crew: CrewOfService
}

/** Of one workspace, before it is the turn of the next one. */
const CLAIMS_TOGETHER = 8

/** Starts a worker that makes kits with this store, and puts them into the log. */
export function runWork(store: Store, options: WorkOptions): Worker {
  const { config, clock, identifiers, page, owner, log, ended } = options
  const { db, objects, signingKeys, transparencyLog } = store
  const profiles = loadProfiles()
  const { crew } = options
  const sealing = {
    db,
    objects,
    signingKeys,
    clock,
    identifiers,
    issuer: options.issuer,
    startPage: page,
    examine: (caller: string, input: ExamineInput) => crew.run('examine', caller, input),
    seal: (caller: string, files: FilesToSeal, sign: Sign) =>
      crew.run('seal', caller, files, (bytes) => sign(bytes as Uint8Array)),
  }
  const moreReports: SubmissionKitContext['moreReports'] = async (
    { submission, evidenceRequestId, period },
    files,
  ) => [
    ...(await requestReports(db, evidenceRequestId, files)),
    ...(await programReports(db, period, files)),
    ...(await seriesReports(db, submission, files)),
  ]
  const making = {
    ...sealing,
    profiles,
    moreReports,
    findToSeal: submissionsToSeal(db),
    verifiesOtherIssuers: config.issuer === undefined,
  }
  const leases = { db, clock, owner, leaseMs: config.leaseSeconds * 1000 }
  const settle = withFollowUp(finishSubmission, { ...store, clock, identifiers })
  const kits = kitIssuer({ ...leases, crew, transparencyLog, settle, log, ended })
  const slots = jobSlots()
  let inTheMaking = 0
  // Only one node extends a log with witnesses.
  const commit = options.proofSources === undefined ? transparencyLog.commit : undefined
  const pass = passingTogether(leases, () => inTheMaking > 0 || slots.hasMore, commit)
  const sequencer = startSequencer(growingLog(store, options), kits.issue, log)
  const worker = startWorker(
    {
      ...leases,
      maxAttempts: config.maxAttempts,
      claim: claimingJobs(leases, CLAIMS_TOGETHER),
      makeKit: async (job) => {
        inTheMaking += 1
        try {
          return await makeKit(making, job)
        } finally {
          inTheMaking -= 1
        }
      },
      settle,
      pass: async (job) => {
        await pass(job)
        kits.remember(job.made)
        sequencer.wake()
      },
      discard: ({ entries }) => discardKit(objects, parseEntries(entries)),
      log,
      ended,
    },
    options.concurrency,
    slots,
  )

  return {
    wake: () => worker.wake(),
    healthy: () => worker.healthy() && sequencer.healthy(),
    stop: async () => {
      await worker.stop()
      await sequencer.stop()
    },
  }
}

/** How much longer than the interval and the wait for witnesses a round may take before another node takes over. */
const SEQUENCER_LEASE_MS = 10_000

function growingLog({ db, transparencyLog }: Store, options: WorkOptions): GrowingLog {
  const { config, clock, owner, proofSources, log } = options
  if (proofSources === undefined) return unwitnessedLog(transparencyLog)
  const { witnesses: policy, authorities } = proofSources
  const { isRequired, waitMs, intervalMs } = config.proof
  const self = { owner, shared: isShared(db) }
  const isGone = (other: string): boolean => ownerIsGone(other, self)
  const freeze = (reason: string): Promise<void> => freezeLog(db, reason, clock)
  return witnessedLog(
    transparencyLog,
    cosigning({
      db,
      clock,
      policy,
      timeStamping: authorities && timeStamping({ authorities, clock, log }),
      isRequired,
      waitMs,
      freeze,
      log,
    }),
    sequencerLease({ db, clock, owner, isGone, leaseMs: intervalMs + waitMs + SEQUENCER_LEASE_MS }),
    intervalMs,
  )
}

/** The requester learns of a submitted request by mail, the supplier gets a copy if wished, and a period ends or opens again, in the transaction that ends the job. */
const withFollowUp = (settle: FinishJob, ctx: RequestMailContext): FinishJob => ({
  issued: async (trx, issued, now) => {
    await settle.issued(trx, issued, now)
    // The draft of a period is in a series, and only requests mail.
    const followed = issued.filter(
      ({ submission }) => submission !== null && (ctx.mail.isOn || submission?.series !== null),
    )
    if (followed.length === 0) return
    const jobIds = followed.map(({ job }) => job.job_id)
    const submissions = await trx
      .selectFrom('submissions')
      .leftJoin('program_periods', 'program_periods.submission_id', 'submissions.submission_id')
      .select(['submissions.submission_id', 'program_periods.period'])
      .where('job_id', 'in', jobIds)
      .execute()
    for (const { submission_id, period } of submissions) {
      await mailSubmitted(trx, ctx, submission_id)
      if (period !== null) await closePeriod(trx, ctx, submission_id)
    }
  },
  failed: async (trx, job, blockers, now) => {
    await settle.failed(trx, job, blockers, now)
    await reopenPeriod(trx, ctx, job)
  },
})
