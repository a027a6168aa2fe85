import type { JsonObject } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database, EvidenceTable, JobsTable, PlansTable, SubmissionsTable } from '../database/schema.ts'
import { type EvidenceFile, examineEvidence, type Examination } from './examine-evidence.ts'
import type { EvidenceContext } from './object-platform.ts'
import { DEFAULT_LIMITS, type Profile } from '@kitseal/evidence'
import type { JobId } from '../identifiers.ts'
import { binderFile, reportInBinder } from '../kits/binder-file.ts'
import { CLASSIFICATION_REPORT_PATH, INTAKE_REPORT_PATH } from '../kits/intake-record.ts'
import { madeJson } from '../kits/pack-files.ts'
import { type SealContext, sealJobKit } from '../kits/seal-kit.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { readFully } from '../objects/chunks.ts'
import { reached } from '../steps.ts'
import type { JobOutcome } from '../intake/job-outcome.ts'
import { deliverableNames } from './deliverables.ts'
import { deliverablePath } from './submission.ts'
import { readSupplier } from '../workspaces/supplier.ts'

export interface SubmissionKitContext extends SealContext, EvidenceContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly profiles: ReadonlyMap<string, Profile>
}

export interface SubmissionToSeal {
  readonly submission: Readonly<SubmissionsTable>
  readonly plan: Pick<PlansTable, 'unpacked_files' | 'unpacked_limit_bytes' | 'unpacked_ratio'>
  readonly evidence: readonly Readonly<EvidenceTable>[]
}

/** The submission of a job, if it has one. */
export async function submissionToSeal(
  db: Kysely<Database>,
  jobId: JobId,
): Promise<SubmissionToSeal | undefined> {
  const found = await db
    .selectFrom('submissions')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .selectAll('submissions')
    .select(['plans.unpacked_files', 'plans.unpacked_limit_bytes', 'plans.unpacked_ratio'])
    .where('submissions.job_id', '=', jobId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { unpacked_files, unpacked_limit_bytes, unpacked_ratio, ...submission } = found
  const evidence = await db
    .selectFrom('evidence')
    .selectAll()
    .where('submission_id', '=', submission.submission_id)
    .orderBy('position')
    .execute()
  const plan = { unpacked_files, unpacked_limit_bytes, unpacked_ratio }
  return { submission, plan, evidence }
}

/** Checks the evidence and seals the kit, or returns every blocker. */
export async function makeSubmissionKit(
  ctx: SubmissionKitContext,
  job: Readonly<JobsTable>,
  sealed: SubmissionToSeal,
): Promise<JobOutcome> {
  const examination = await examine(ctx, job, sealed)
  reached('evidence examined')
  if (examination.blockers.length > 0) return { is: 'blocked', blockers: examination.blockers }
  const { submission } = sealed
  const kit = await sealJobKit(ctx, {
    job,
    evidence: examination.files.map(({ path, sha256, sizeBytes, crc32, object, offset }) => {
      return { path, sha256, sizeBytes, crc32, object, offset }
    }),
    makeFiles: async (identity) => {
      // Read now, because the name in a kit is the one at the time of issue.
      const supplier = await readSupplier(ctx.db, submission.workspace_id)
      const reports = [
        madeJson(INTAKE_REPORT_PATH, { ...(examination.intakeReport as JsonObject), supplier }),
        madeJson(CLASSIFICATION_REPORT_PATH, examination.classificationReport),
      ]
      const binder = await binderFile({
        ...identity,
        job,
        issuer: ctx.issuer,
        ...(supplier === null ? {} : { workspace: supplier.name }),
        label: submission.label,
        profile: submission.profile,
        files: [...examination.files, ...reports.map(reportInBinder)],
        images: imagesOf(ctx.objects, examination.files),
      })
      return [...reports, binder]
    },
    downloads: (_kit, paths) =>
      Object.fromEntries(
        deliverableNames(paths).map((name) => [name, deliverablePath(submission.submission_id, name)]),
      ),
  })
  return { is: 'kit', kit }
}

function examine(
  ctx: SubmissionKitContext,
  job: Readonly<JobsTable>,
  { submission, evidence, plan }: SubmissionToSeal,
): Promise<Examination> {
  const profile = ctx.profiles.get(submission.profile)
  if (profile === undefined) throw new Error(`unknown profile ${submission.profile}`)
  return examineEvidence(ctx, {
    files: evidence.map(({ name, sha256, size_bytes, crc32 }) => {
      return { name, sha256, sizeBytes: Number(size_bytes), crc32: Number(crc32) }
    }),
    limits: {
      ...DEFAULT_LIMITS,
      entries: plan.unpacked_files,
      unpackedBytes: Number(plan.unpacked_limit_bytes),
      ratio: plan.unpacked_ratio,
    },
    profile,
    now: timestamp(ctx.clock.now()),
    // Unique per attempt: a worker that lost the lease must not delete the files of its successor.
    packId: `${submission.submission_id} ${job.lease_token}`,
  })
}

const MAX_IMAGE_BYTES = 16 * 1024 * 1024

/** Reads images for the binder. Images that are too large for memory appear by name only. */
function imagesOf(
  objects: Pick<ObjectStore, 'read'>,
  files: readonly EvidenceFile[],
): (path: string) => Promise<Uint8Array | undefined> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return async (path) => {
    const file = byPath.get(path)
    if (file === undefined || file.sizeBytes > MAX_IMAGE_BYTES) return undefined
    return readFully(objects, file.object, file.offset, file.offset + file.sizeBytes)
  }
}
