import { elements, marked, member, recordsIn, text, UnexpectedShape } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const LISTS = { passed_checks: 'passed', failed_checks: 'failed', skipped_checks: 'skipped' }

/** One report, or one for each framework. */
export const CHECKOV: Recogniser = {
  format: 'Checkov',
  mark: /"check_type"/,
  reads: 'json',
  read(values) {
    const reports = marked(recordsIn(values), (report) =>
      Array.isArray(member(report, 'results', 'failed_checks')),
    )
    const counts = new Tally('passed', 'failed')
    for (const report of reports) {
      for (const [name, shown] of Object.entries(LISTS)) {
        const checks = elements(member(report, 'results', name))
        if (checks.some((check) => typeof member(check, 'check_id') !== 'string')) throw new UnexpectedShape()
        if (checks.length > 0) counts.add(shown, checks.length)
      }
    }
    const types = reports.map((report) => text(member(report, 'check_type')))
    return {
      tool: 'Checkov',
      version: member(reports[0], 'summary', 'checkov_version'),
      target: types.join(', '),
      counts,
    }
  },
}
