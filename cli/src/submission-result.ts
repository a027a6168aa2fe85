import { ALL_FILES, type VerificationReport, verdictHeading, VERDICTS } from '@kitseal/kit/internal'
import type { Submission } from '@kitseal/client'
import {
  blockerTable,
  acceptHint,
  noticeLines,
  type RecognisedFile,
  recognisedLines,
} from './findings-text.ts'
import type { Shown } from './command-line.ts'
import { confirmHint, type DownloadTrust, trustLine } from './download-kit.ts'
import type { ServiceCall } from './service-call.ts'
import { colors, EXIT, pluralize, printable, type Terminal } from './terminal.ts'

/** PASS, and the kit is saved. */
export function passed(
  submission: Submission,
  path: string,
  report: VerificationReport,
  trust: DownloadTrust,
  { url, terminal }: ServiceCall,
): Shown {
  const style = colors(terminal)
  const kit = { path, keys: trust.keys, verification: report }
  return {
    json: { status: 'PASS', submission, kit },
    out: [
      ...noticeLines(submission.findings, terminal),
      ...recognisedLines(recognisedIn(report), terminal),
      `kit       ${submission.kit_id}`,
      `saved     ${printable(path)}`,
      `key       ${report.signer.kid}`,
      `verified  ${trustLine(trust, report, url)}`,
      '',
      `${style.good(style.strong('Sealed'))}  The kit is unchanged since it was issued.`,
      style.faint(report.boundary),
    ],
  }
}

/** What the files of the kit say about themselves. */
function recognisedIn({ provenance }: VerificationReport): readonly RecognisedFile[] {
  return (provenance?.entries ?? []).flatMap((entry) =>
    entry.source === 'recognised'
      ? [{ path: entry.paths === ALL_FILES ? ALL_FILES : entry.paths.join(', '), summary: entry.summary }]
      : [],
  )
}

/** PASS, but the downloaded kit does not verify. */
export function notVerified(
  submission: Submission,
  report: VerificationReport,
  trust: DownloadTrust,
  terminal: Terminal,
): Shown {
  const style = colors(terminal)
  const { colour, exitCode } = VERDICTS[report.verdict]
  const word = colour === 'amber' ? style.warn('Not confirmed yet') : style.bad('Do not rely on it')
  return {
    json: { status: 'FAIL', submission, kit: { verification: report } },
    out: [
      ...report.errors.map((error) => `  ${style.bad('-')} ${printable(error)}`),
      '',
      `${style.strong(word)}  The service issued ${submission.kit_id}, but the download was not saved: ${verdictHeading(report).replace(/\.$/, '')}.`,
      ...confirmHint(trust, report),
      style.faint(report.boundary),
    ],
    exitCode,
  }
}

/** Blockers instead of a kit. */
export function failed(submission: Submission, terminal: Terminal): Shown {
  const style = colors(terminal)
  const { blockers, findings } = submission
  return {
    json: { status: 'FAIL', submission },
    out: [
      ...blockerTable(blockers, terminal),
      '',
      ...noticeLines(findings, terminal),
      `${style.bad(style.strong('Needs changes'))}  ${pluralize(blockers.length, 'blocker')}. No kit was issued.`,
      ...acceptHint(findings),
      style.faint(submission.boundary),
    ],
    exitCode: EXIT.fail,
  }
}

/** What people read instead of the status of the API. `--json` has the status. */
export const STATUS_WORDS: Readonly<Record<Submission['status'], string>> = {
  PENDING: 'Pending',
  RUNNING: 'Checking',
  PASS: 'Sealed',
  FAIL: 'Needs changes',
  EXPIRED: 'Expired',
}

type Expired = Pick<Submission, 'updated_at' | 'erasure' | 'kit_id'>

/** Says when the evidence was deleted, and why. */
export function expiredText({ updated_at, erasure, kit_id }: Expired): string {
  const day = (erasure?.erased_at ?? updated_at).slice(0, 10)
  if (kit_id === null) return `This submission was deleted, or not completed in time, on ${day}.`
  const why =
    erasure?.reason === 'request'
      ? `by order of ${erasure.ordered_by ?? 'an owner'}`
      : 'under the retention rule'
  return `The evidence of this submission was deleted on ${day} ${why}. Manifest and receipt remain.`
}
