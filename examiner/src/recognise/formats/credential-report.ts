import { member, oneOrMany, only, text, UnexpectedShape } from '../members.ts'
import { rowsByName } from '../rows.ts'
import type { Recogniser, Stated } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const FORMAT = 'AWS credential report'

export const CREDENTIAL_REPORT_CSV: Recogniser = {
  format: FORMAT,
  mark: /^user,arn,user_creation_time,password_enabled,/,
  reads: 'text',
  read: (bytes) => readReport(bytes),
}

/** As `aws iam get-credential-report` prints it. */
export const CREDENTIAL_REPORT_JSON: Recogniser = {
  format: FORMAT,
  mark: /"(?:GeneratedTime|ReportFormat)"|"Content"\s*:\s*"dXNlcixhcm4s/,
  reads: 'json',
  read(values) {
    const report = only(values)
    if (member(report, 'ReportFormat') !== 'text/csv') return undefined
    const bytes = Uint8Array.from(atob(text(member(report, 'Content'))), (one) => one.charCodeAt(0))
    return { ...readReport(bytes), time: member(report, 'GeneratedTime') }
  },
}

function readReport(bytes: Uint8Array): Stated {
  const rows = rowsByName(bytes)
  const accounts = rows.map((row) => /^arn:[\w-]+:iam::(\d{12}):/.exec(row.get('arn') ?? '')?.[1])
  if (accounts.length === 0 || accounts.includes(undefined)) throw new UnexpectedShape()
  const users = rows.filter((row) => row.get('user') !== '<root_account>')
  return {
    tool: 'AWS IAM',
    target: oneOrMany('account', accounts),
    counts: Tally.just('users', users.length),
  }
}
