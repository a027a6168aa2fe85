import type { AuditReport } from '@kitseal/kit/internal'
import { checkLine, errorLines } from './report-text.ts'
import { colors, type Terminal } from './terminal.ts'

const VERDICTS = {
  verified: ['good', 'Verified', 'No event up to this head was removed, changed or reordered.'],
  log_unconfirmed: [
    'warn',
    'Complete up to its head, but the log is not confirmed',
    'Anyone could have made this head. Pass --policy with the key of the log and its witnesses.',
  ],
  altered: ['bad', 'Not the audit log that was recorded', 'Do not rely on it. Export it again and compare.'],
} as const

/** The result of verifying an audit log as text. */
export function auditText(report: AuditReport, terminal: Terminal): readonly string[] {
  const style = colors(terminal)
  const [colour, heading, advice] = VERDICTS[report.verdict]
  const { head } = report
  return [
    `events   ${report.events}`,
    ...(head === null ? [] : [`head     event ${head.count}, ${head.head}`]),
    '',
    ...report.checks.map((check) => checkLine(check, style)),
    '',
    ...errorLines(report, style),
    `${style[colour](style.strong(report.status))}  ${heading}`,
    advice,
    style.faint(report.boundary),
  ]
}
