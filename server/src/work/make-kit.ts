import type { JobsTable, KitsTable } from '../database/schema.ts'
import type { JobOutcome } from '../submissions/job-outcome.ts'
import { reportInBinder } from '../kits/binder-file.ts'
import { intakeClassification, intakeRecord, intakeReport } from '../kits/intake-record.ts'
import { sealJobKit } from '../kits/seal-kit.ts'
import { readWorkspaceInKit } from '../access/supplier.ts'
import { provenanceFile } from '../submissions/provenance-report.ts'
import { makeSubmissionKit, type SubmissionKitContext } from '../submissions/make-submission-kit.ts'

/** Makes the kit of a job, from its evidence or, if there is none, from its intake record. */
export async function makeKit(ctx: SubmissionKitContext, job: Readonly<JobsTable>): Promise<JobOutcome> {
  const submission = job.workspace_id === null ? undefined : await ctx.findToSeal(job.job_id)
  if (submission !== undefined) return makeSubmissionKit(ctx, job, submission)
  return { is: 'kit', kit: await makeIntakeKit(ctx, job), submission: null }
}

function makeIntakeKit(ctx: SubmissionKitContext, job: Readonly<JobsTable>): Promise<KitsTable> {
  return sealJobKit(ctx, {
    job,
    caller: job.workspace_id ?? '',
    describe: async (kit) => {
      const record = intakeRecord(job)
      const { supplier, language } = await readWorkspaceInKit(ctx.db, job.workspace_id)
      const report = intakeReport({ job, supplier, issuedAt: kit.issuedAt })
      const written = { paths: [record.path], source: 'service', statement: 'verified' } as const
      const provenance = provenanceFile([{ ...written, at: job.created_at }])
      const created = [record, report, intakeClassification(record), provenance]
      const files = created.map(reportInBinder)
      const binder = { ...kit, job, origin: { supplier }, language, issuer: ctx.issuer, files, provenance }
      return { reports: created, binder }
    },
  })
}
