import { type Cosigning, cosigning } from '../log/cosign-checkpoints.ts'
import { freezeLog } from '../log/freeze-log.ts'
import type { ProofSources } from '../log/cosign-checkpoints.ts'
import { growingLog, LOG } from '../log/grow-log.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { Store } from '../open-store.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import type { Log } from '../runtime/logger.ts'
import type { Config } from '../settings/config.ts'
import { type FinishJob, finishSubmission } from '../submissions/finish-submission.ts'
import type { MailingUnits } from '../requests/request.ts'
import { requestReports } from '../requests/request-report.ts'
import { followFailed, followIssued } from '../requests/seal-period.ts'
import { makeKit, type MakeKitContext, submissionsToSeal } from '../submissions/make-kit.ts'
import { sealing, type SealingContext } from '../submissions/seal-submission.ts'
import { seriesReports } from '../submissions/series.ts'
import { type Kind, type Runner, startRunner } from '../tasks/run-tasks.ts'
import type { ServicePool } from './worker-functions.ts'

/** Does what is due: makes kits, puts them into the log, and everything else, until it is stopped. */
export type Work = Omit<Runner, 'find'>

export interface WorkOptions {
  readonly config: Config
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly issuer: string
  /** The start page of each kit. */
  readonly page: StoredObject
  /** This process. */
  readonly owner: string
  /** Jobs at the same time: some are loaded or pass while others are in the workers. */
  readonly concurrency: number
  readonly pool: ServicePool
  readonly proofSources?: ProofSources | undefined
  readonly profiles: MakeKitContext['profiles']
  readonly log: Log
  readonly ended: SealingContext['ended']
  /** What else is done on this node. */
  readonly kinds: readonly Kind[]
}

export function runWork(store: Store, options: WorkOptions): Work {
  const { config, clock, identifiers, page, owner, pool, profiles, log, ended, issuer } = options
  const { db, objects, signingKeys, transparencyLog } = store
  const making: MakeKitContext = {
    db,
    objects,
    signingKeys,
    clock,
    identifiers,
    issuer,
    startPage: page,
    examine: (caller, input) => pool.run('examine', caller, input),
    seal: (caller, files, sign) => pool.run('seal', caller, files, (bytes) => sign(bytes as Uint8Array)),
    profiles,
    moreReports: async ({ submission, requestId }, files) => [
      ...(await store.units.read(
        { workspaceId: submission.workspace_id, actor: { is: 'service' } },
        (reader) => requestReports(reader, requestId, files),
      )),
      ...(await seriesReports(db, submission, files)),
    ],
    verifiesOtherIssuers: config.issuer === undefined,
  }
  const { kind, issue } = sealing(
    {
      db,
      clock,
      node: owner,
      maxAttempts: config.maxAttempts,
      objects,
      transparencyLog,
      find: submissionsToSeal(db),
      makeKit: (found) => makeKit(making, found),
      verifyStored: (kit, keys) => pool.run('verifyStored', '', { kit, keys }),
      settle: withFollowUp(finishSubmission, { ...store, clock, identifiers }),
      // Only one node extends a log with witnesses.
      growsLog: options.proofSources === undefined,
      onPassed: () => runner.find(LOG),
      log,
      ended,
    },
    options.concurrency,
  )
  const { intervalMs } = config.proof
  const growing = growingLog({
    db,
    clock,
    log: transparencyLog,
    cosigning: cosigningOf(store, options),
    intervalMs,
    issue,
    events: log,
  })
  const leaseMs = config.leaseSeconds * 1000
  const kinds = [{ ...kind, isVital: true }, growing.kind, ...options.kinds]
  const runner = startRunner({ db, clock, owner, leaseMs, kinds, log })
  return {
    ...runner,
    async stop() {
      await runner.stop()
      await growing.stop()
    },
  }
}

function cosigningOf(
  { db }: Store,
  { config, clock, proofSources, log }: WorkOptions,
): Cosigning | undefined {
  if (proofSources === undefined) return undefined
  const { witnesses: policy, authorities } = proofSources
  const { isRequired, waitMs } = config.proof
  return cosigning({
    db,
    clock,
    policy,
    authorities,
    isRequired,
    waitMs,
    freeze: (reason) => freezeLog(db, reason, clock),
    log,
  })
}

/** Requests and periods go on in the transaction that ends the job. */
const withFollowUp = (settle: FinishJob, ctx: MailingUnits): FinishJob => ({
  issued: async (trx, issued, now) => {
    await settle.issued(trx, issued, now)
    // The draft of a period is in a series, and only requests mail.
    const followed = issued.filter(
      ({ job }) => job.sequence !== null && (ctx.mail.isOn || job.series !== null),
    )
    if (followed.length > 0)
      await followIssued(
        ctx,
        trx,
        followed.map(({ job }) => job.job_id),
      )
  },
  failed: async (trx, job, blockers, now) => {
    await settle.failed(trx, job, blockers, now)
    await followFailed(ctx, trx, job.job_id)
  },
})
