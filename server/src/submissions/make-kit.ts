import { DEFAULT_LIMITS, type FindingRecord, type Profile } from '@kitseal/examiner'
import { type JsonObject, NO_TRUST, type Trust } from '@kitseal/kit/internal'
import { pinsOf } from '../access/trust.ts'
import { PLAN_COLUMNS, planOf } from '../access/plans.ts'
import { confirmedBy, readWorkspaceInKit, type Supplier } from '../access/supplier.ts'
import type {
  Db,
  EvidenceTable,
  KitsTable,
  OpenedSubmission,
  SubmissionsTable,
  WorkspacesTable,
} from '../database/schema.ts'
import { type Change, nestedRows, type Param, preparedFirst, unnested } from '../database/statements.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { reportInBinder } from '../kits/binder-file.ts'
import {
  CLASSIFICATION_REPORT_PATH,
  intakeClassification,
  intakeRecord,
  intakeReport,
} from '../kits/intake-record.ts'
import { type MadeFile, madeJson } from '../kits/kit-files.ts'
import { type SealedKit, sealJobKit } from '../kits/seal-kit.ts'
import type { NewObject } from '../objects/accepted-objects.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { EvidenceRequestId, JobId } from '../runtime/identifiers.ts'
import { reached } from '../runtime/steps.ts'
import type { Plan } from '../settings/plan.ts'
import type { Blocker } from './blockers.ts'
import type { Examination, ExamineInput } from './examine-evidence.ts'
import { profileOfSubmission } from './profiles.ts'
import { factsIn, provenanceFile, provenanceOf, type ReceivedFact } from './provenance-report.ts'
import { reissueKit } from './reissue-kit.ts'
import { type SealedFile, sealEvidence, type SealEvidenceContext } from './seal-evidence.ts'
import { nameWords } from './submission-words.ts'
import { acceptOf, confirmedIn, statedIn } from './submission.ts'

/** How work on a submission ends: with a sealed kit, or with every reason why there is none. */
export type JobOutcome =
  | MadeKit
  | {
      readonly is: 'blocked'
      readonly blockers: readonly Blocker[]
      readonly findings?: readonly FindingRecord[]
    }

export interface MadeKit {
  readonly is: 'kit'
  readonly kit: KitsTable
  /** What was stored for it. */
  readonly objects: readonly NewObject[]
  readonly findings?: readonly FindingRecord[]
  /** Stored together with the kit. */
  readonly also?: (trx: Db) => readonly Change[]
}

export interface MakeKitContext extends SealEvidenceContext, KitTrustContext {
  /** Runs `examineEvidence` in a worker. */
  readonly examine: (caller: string, input: ExamineInput) => Promise<Examination>
  readonly clock: Clock
  readonly profiles: ReadonlyMap<string, Profile>
  /** Reports of what a submission belongs to, such as a request. */
  moreReports(sealed: SubmissionToSeal, files: readonly SealedFile[]): Promise<readonly MadeFile[]>
}

/** Makes the kit of a submission from its evidence, or of an intake job from its record. */
export const makeKit = async (ctx: MakeKitContext, { job, opened }: JobToSeal): Promise<JobOutcome> =>
  opened === undefined ? { is: 'kit', ...(await makeIntakeKit(ctx, job)) } : makeSubmissionKit(ctx, opened)

function makeIntakeKit(ctx: MakeKitContext, job: Readonly<SubmissionsTable>): Promise<SealedKit> {
  return sealJobKit(ctx, {
    job,
    caller: job.workspace_id ?? '',
    describe: async (kit) => {
      const record = intakeRecord(job)
      const { supplier, language } = await readWorkspaceInKit(ctx.db, job.workspace_id)
      const report = intakeReport(job, supplier, kit.issuedAt)
      const written = { paths: [record.path], source: 'service', statement: 'verified' } as const
      const provenance = provenanceFile([{ ...written, at: job.job_created_at }])
      const created = [record, report, intakeClassification(record), provenance]
      const files = created.map(reportInBinder)
      const binder = { ...kit, job, origin: { supplier }, language, issuer: ctx.issuer, files, provenance }
      return { reports: created, binder }
    },
  })
}

/** Checks the evidence and seals the kit, or returns every blocker. Evidence of a re-issued kit was checked before. */
async function makeSubmissionKit(ctx: MakeKitContext, sealed: SubmissionToSeal): Promise<JobOutcome> {
  const { submission } = sealed
  if (submission.replaces_kit_id !== null)
    return { is: 'kit', ...(await reissueKit(ctx, submission, submission.replaces_kit_id)) }
  const examination = await examine(ctx, sealed)
  reached('evidence examined')
  const { blockers, findings } = examination
  if (blockers.length > 0) return { is: 'blocked', blockers, findings }
  const more = await ctx.moreReports(sealed, examination.files)
  const { kit, objects } = await sealEvidence(ctx, {
    submission,
    workspace: { supplier: sealed.supplier, language: sealed.workspace.language },
    files: examination.files,
    findings,
    intake: examination.intakeReport as JsonObject,
    reports: [
      madeJson(CLASSIFICATION_REPORT_PATH, examination.classificationReport),
      provenanceOf(sealed.evidence, examination.files, statedIn(submission), sealed.sender),
      ...more,
    ],
  })
  const stored = examination.pack === undefined ? objects : [...objects, examination.pack]
  return { is: 'kit', kit, objects: stored, findings, also: indexArchived(sealed, examination) }
}

const DATA_FOLDER = 'data/'

/** Names inside archives. Those of the uploads are indexed already. */
const indexArchived =
  ({ submission, evidence }: SubmissionToSeal, { files }: Examination) =>
  (trx: Db): readonly Change[] => {
    const paths = files.map(({ path }) => path.slice(DATA_FOLDER.length))
    const uploaded = evidence.map(({ name }) => name)
    return nameWords(trx, submission, paths, uploaded)
  }

async function examine(
  ctx: MakeKitContext,
  { submission, evidence, plan, workspace }: SubmissionToSeal,
): Promise<Examination> {
  const profile = await profileOfSubmission(ctx.db, ctx.profiles, submission)
  return ctx.examine(submission.workspace_id, {
    files: evidence.map((file) => ({
      name: file.name,
      sha256: file.sha256,
      sizeBytes: Number(file.size_bytes),
      crc32: Number(file.crc32),
      object: file.object,
      offset: Number(file.offset_bytes),
    })),
    limits: {
      ...DEFAULT_LIMITS,
      entries: plan.unpackedFiles,
      unpackedBytes: plan.unpackedLimitBytes,
      ratio: plan.unpackedRatio,
    },
    policy: plan.policy,
    profile,
    accept: acceptOf(submission),
    confirmed: confirmedIn(submission),
    provenance: statedIn(submission) ?? undefined,
    trust: await kitTrust(ctx, workspace),
    now: timestamp(ctx.clock.now()),
  })
}

interface KitTrustContext {
  readonly signingKeys: SigningKeys
  readonly issuer: string
  /** Whether kits may name an earlier address of this service: KITSEAL_ISSUER is not set. */
  readonly verifiesOtherIssuers?: boolean | undefined
}

/** The keys that kits among the evidence are verified with: those of this service, and those that the workspace pins. */
async function kitTrust(
  { signingKeys, issuer, verifiesOtherIssuers = false }: KitTrustContext,
  workspace: { readonly pins: string | null },
): Promise<Trust> {
  const { keys, revoked_keys: revoked } = await signingKeys.publicKeys()
  const own = { keys, revoked, refused: [], source: 'confirmed', issuer, verifiesOtherIssuers } as const
  return { ...NO_TRUST, keySets: [own], pins: pinsOf(workspace) }
}

/** A job, with its evidence if it was opened as a submission. */
export interface JobToSeal {
  readonly job: Readonly<SubmissionsTable>
  readonly opened: SubmissionToSeal | undefined
}

/** All that it takes to make the kit of a submission. */
interface SubmissionToSeal {
  readonly submission: Readonly<OpenedSubmission>
  readonly plan: Plan
  readonly evidence: readonly Readonly<EvidenceTable>[]
  readonly workspace: Pick<WorkspacesTable, 'pins' | 'language'>
  /** The workspace with its name when the work began. */
  readonly supplier: Supplier
  /** The request that the submission answers, or of the period that it is. */
  readonly requestId: EvidenceRequestId | null
  /** Who submitted the answer. */
  readonly sender: readonly ReceivedFact[]
}

export type FindToSeal = (job: JobId) => Promise<JobToSeal | undefined>

const EVIDENCE = [
  'evidence.submission_id',
  'evidence.position',
  'evidence.name',
  'evidence.sha256',
  'evidence.size_bytes',
  'evidence.crc32',
  'evidence.object',
  'evidence.offset_bytes',
  'evidence.media_type',
  'evidence.received_by',
  'evidence.received',
] as const

/** Finds a submission with what it takes to seal it, in one statement. */
export function submissionsToSeal(db: Db): FindToSeal {
  const findOpened = preparedFirst(db, (param: Param<{ job: JobId }>) =>
    db
      .selectFrom('submissions')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
      .innerJoin('plans', 'plans.plan', 'workspaces.plan')
      .leftJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
      .selectAll('submissions')
      .select(['workspaces.pins', 'workspaces.language', 'workspaces.name as workspace_name'])
      .select('workspaces.named_by')
      .select(['request_rounds.request_id', 'request_rounds.sender'])
      .select(PLAN_COLUMNS)
      .select((eb) =>
        nestedRows(
          db,
          eb
            .selectFrom('evidence')
            .select(EVIDENCE)
            .whereRef('evidence.submission_id', '=', 'submissions.submission_id')
            .orderBy('evidence.position'),
        ).as('evidence'),
      )
      .where('submissions.job_id', '=', param('job'))
      .where('submissions.sequence', 'is not', null)
      .$narrowType<OpenedSubmission>(),
  )
  const findJob = preparedFirst(db, (param: Param<{ job: JobId }>) =>
    db.selectFrom('submissions').selectAll().where('job_id', '=', param('job')),
  )
  return async (jobId) => {
    const row = await findOpened({ job: jobId })
    if (row === undefined) {
      const job = await findJob({ job: jobId })
      return job && { job, opened: undefined }
    }
    const { pins, language, workspace_name: name, named_by, ...rest } = row
    const { request_id: requestId, sender, evidence, ...submission } = rest
    return {
      job: submission,
      opened: {
        submission,
        plan: planOf(row),
        evidence: unnested(evidence),
        workspace: { pins, language },
        supplier: { workspace_id: submission.workspace_id, name, confirmed_by: confirmedBy(named_by) },
        requestId,
        sender: factsIn(sender),
      },
    }
  }
}
