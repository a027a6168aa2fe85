import { type VerificationReport, verdictHeading, VERDICTS } from '@kitseal/kit'
import type { Submission } from '@kitseal/client'
import { blockerTable } from './blocker-table.ts'
import { type DownloadTrust, trustLine } from './download-trust.ts'
import { acceptHint, noticeLines } from './finding-lists.ts'
import { colors, EXIT, jsonText, pluralize, printable, type Terminal, writeLines } from './terminal.ts'

/** PASS, and the kit is saved. */
export function passed(
  submission: Submission,
  path: string,
  report: VerificationReport,
  trust: DownloadTrust,
  url: string,
  json: boolean,
  terminal: Terminal,
): number {
  if (json) {
    const kit = { path, keys: trust.keys, verification: report }
    writeLines(terminal.stdout, [jsonText({ status: 'PASS', submission, kit })])
    return EXIT.ok
  }
  const style = colors(terminal)
  writeLines(terminal.stdout, [
    ...noticeLines(submission.findings, terminal),
    `kit       ${submission.kit_id}`,
    `saved     ${printable(path)}`,
    `key       ${report.signer.kid}`,
    `verified  ${trustLine(trust, url)}`,
    '',
    `${style.good(style.strong('PASS'))}  The kit is unchanged since it was issued.`,
    style.faint(report.boundary),
  ])
  return EXIT.ok
}

/** PASS, but the downloaded kit does not verify. */
export function notVerified(
  submission: Submission,
  report: VerificationReport,
  json: boolean,
  terminal: Terminal,
): number {
  const { exitCode } = VERDICTS[report.verdict]
  if (json) {
    writeLines(terminal.stdout, [jsonText({ status: 'FAIL', submission, kit: { verification: report } })])
    return exitCode
  }
  const style = colors(terminal)
  writeLines(terminal.stdout, [
    ...report.errors.map((error) => `  ${style.bad('-')} ${printable(error)}`),
    '',
    `${style.bad(style.strong('FAIL'))}  The service issued ${submission.kit_id}, but the download was not saved: ${verdictHeading(report)}.`,
    style.faint(report.boundary),
  ])
  return exitCode
}

/** Blockers instead of a kit. */
export function failed(submission: Submission, json: boolean, terminal: Terminal): number {
  if (json) {
    writeLines(terminal.stdout, [jsonText({ status: 'FAIL', submission })])
    return EXIT.fail
  }
  const style = colors(terminal)
  const { blockers, findings } = submission
  writeLines(terminal.stdout, [
    ...blockerTable(blockers, terminal),
    '',
    ...noticeLines(findings, terminal),
    `${style.bad(style.strong('FAIL'))}  ${pluralize(blockers.length, 'blocker')}. No kit was issued and no credit was spent.`,
    ...acceptHint(findings),
    style.faint(submission.boundary),
  ])
  return EXIT.fail
}
