import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BOUNDARY, canonicalJson, type JsonValue, utf8 } from '@kitseal/kit'
import type { JobsTable, KitEntry } from '../database/schema.ts'
import type { MadeFile } from './pack-files.ts'

/** What a kit tells of the job that it was issued for. */
export type SealedJob = Readonly<
  Pick<JobsTable, 'job_id' | 'tenant_id' | 'scope_label' | 'created_at' | 'authenticated'>
>

export const INTAKE_RECORD_PATH = 'data/intake.json'
export const INTAKE_REPORT_PATH = 'reports/intake_report.json'

/** The evidence of a job that came without files: the record of the intake itself. */
export function intakeRecord(job: SealedJob): MadeFile {
  return jsonFile(INTAKE_RECORD_PATH, {
    ...jobMembers(job),
    files_supplied: 0,
    statement:
      'No files were supplied with this job. This record of the intake is the only evidence in the kit. ' +
      callerStatement(job),
    boundary: BOUNDARY,
  })
}

/** What was done with what was supplied. */
export function intakeReport(job: SealedJob, evidence: readonly KitEntry[], issuedAt: string): MadeFile {
  return jsonFile(INTAKE_REPORT_PATH, {
    ...jobMembers(job),
    issued_at: issuedAt,
    outcome: 'PASS',
    blockers: [],
    files_supplied: evidence.length,
    bytes_supplied: evidence.reduce((sum, entry) => sum + entry.sizeBytes, 0),
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
    created_at: job.created_at,
    caller_authenticated: job.authenticated === 1,
  }
}

function callerStatement(job: SealedJob): string {
  return job.authenticated === 1
    ? 'The caller was authenticated by an API key of the workspace that tenant_id names.'
    : 'The caller was not authenticated: tenant_id and scope_label are what the caller wrote.'
}

function jsonFile(path: string, value: JsonValue): MadeFile {
  const bytes = utf8(canonicalJson(value))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path, bytes, sha256, sizeBytes: bytes.length, crc32: crc32(bytes) }
}
