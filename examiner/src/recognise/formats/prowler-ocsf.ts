import { count, marked, member, oneOrMany, recordsIn, Tally, type Recogniser } from '../recogniser.ts'

const STATUSES = { PASS: 'pass', FAIL: 'fail', MANUAL: 'manual' }

/** OCSF detection findings (2004) and compliance findings (2003) as Prowler writes them. */
export const PROWLER_OCSF: Recogniser = {
  format: 'Prowler OCSF',
  mark: /"(?:product|class_uid)"/,
  reads: 'json',
  read(values) {
    const findings = marked(
      recordsIn(values),
      (one) =>
        member(one, 'metadata', 'product', 'name') === 'Prowler' &&
        [2003, 2004].includes(member(one, 'class_uid') as number),
    )
    const counts = new Tally('pass', 'fail')
    for (const one of findings) {
      // A muted finding is neither.
      if (member(one, 'status') === 'Suppressed') counts.add('muted')
      else count(counts, STATUSES, member(one, 'status_code'))
    }
    const accounts = findings.map(
      (one) => member(one, 'cloud', 'account', 'uid') ?? member(one, 'unmapped', 'cloud', 'account', 'uid'),
    )
    return {
      tool: 'Prowler',
      version: member(findings[0], 'metadata', 'product', 'version'),
      target: oneOrMany('account', accounts),
      time: member(findings[0], 'time') ?? member(findings[0], 'finding_info', 'created_time'),
      counts,
    }
  },
}
