import { BOUNDARY } from '@kitseal/kit/internal'
import type { SubmissionsTable } from '../database/schema.ts'
import type { Supplier } from '../access/supplier.ts'
import { type MadeFile, madeJson } from './kit-files.ts'

/** The members of a job that appear in its kit. */
export type SealedJob = Readonly<
  Pick<SubmissionsTable, 'job_id' | 'tenant_id' | 'scope_label' | 'job_created_at' | 'authenticated'>
>

const INTAKE_RECORD_PATH = 'data/intake.json'
export const INTAKE_REPORT_PATH = 'reports/intake_report.json'
export const REQUEST_REPORT_PATH = 'reports/request.json'
export const PROGRAM_REPORT_PATH = 'reports/program.json'
export const CLASSIFICATION_REPORT_PATH = 'reports/classification_report.json'

/** The evidence of a job without files: a record of the intake itself. */
export function intakeRecord(job: SealedJob): MadeFile {
  return madeJson(INTAKE_RECORD_PATH, {
    ...jobMembers(job),
    files_supplied: 0,
    statement:
      'No files were supplied with this job. This record of the intake is the only evidence in the kit. ' +
      callerStatement(job),
    boundary: BOUNDARY,
  })
}

/** The classification report for an intake record. */
export function intakeClassification(record: MadeFile): MadeFile {
  return madeJson(CLASSIFICATION_REPORT_PATH, {
    report: 'classification',
    files: [
      {
        path: record.path,
        type: 'json',
        title: 'JSON',
        media_type: 'application/json',
        told_by: 'made by the service',
        size_bytes: record.sizeBytes,
        sha256: record.sha256,
        supplied_as: null,
        notes: [],
      },
    ],
    types: { json: 1 },
    boundary: BOUNDARY,
  })
}

/** `supplier` is null for open intake. */
export function intakeReport(job: SealedJob, supplier: Supplier | null, issuedAt: string): MadeFile {
  return madeJson(INTAKE_REPORT_PATH, {
    ...jobMembers(job),
    supplier,
    issued_at: issuedAt,
    outcome: 'PASS',
    blockers: [],
    files_supplied: 0,
    bytes_supplied: 0,
    statement:
      'The supplied files were recorded byte for byte. Nothing that they claim was examined or vouched for. ' +
      callerStatement(job),
    boundary: BOUNDARY,
  })
}

function jobMembers(job: SealedJob) {
  return {
    job_id: job.job_id,
    tenant_id: job.tenant_id,
    scope_label: job.scope_label,
    created_at: job.job_created_at,
    caller_authenticated: job.authenticated === 1,
  }
}

function callerStatement(job: SealedJob): string {
  return job.authenticated === 1
    ? 'The caller was authenticated by an API key of the workspace that tenant_id names.'
    : 'The caller was not authenticated: tenant_id and scope_label are what the caller wrote.'
}
