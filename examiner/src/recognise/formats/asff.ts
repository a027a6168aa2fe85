import { count, elements, has, marked, member, oneOrMany, recordsIn } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const STATUSES = { PASSED: 'pass', FAILED: 'fail', WARNING: 'warning', NOT_AVAILABLE: 'not available' }

/** The AWS Security Finding Format: of Security Hub, and of tools that write for it. */
export const ASFF: Recogniser = {
  format: 'ASFF',
  mark: /"SchemaVersion"\s*:\s*"2018-10-08"/,
  reads: 'json',
  read(values) {
    const findings = marked(
      recordsIn(values).flatMap((value) =>
        has(value, 'Findings') ? elements(member(value, 'Findings')) : [value],
      ),
      (one) => member(one, 'SchemaVersion') === '2018-10-08' && typeof member(one, 'ProductArn') === 'string',
    )
    const counts = new Tally('pass', 'fail')
    for (const one of findings) {
      const status = member(one, 'Compliance', 'Status')
      if (member(one, 'Workflow', 'Status') === 'SUPPRESSED') counts.add('muted')
      else if (status === undefined) counts.add('without status')
      else count(counts, STATUSES, status)
    }
    const tools = new Set(
      findings.map((one) => member(one, 'ProductFields', 'ProviderName') ?? member(one, 'ProductName')),
    )
    return {
      tool: tools.size === 1 ? [...tools][0] : undefined,
      version: member(findings[0], 'ProductFields', 'ProviderVersion'),
      target: oneOrMany(
        'account',
        findings.map((one) => member(one, 'AwsAccountId')),
      ),
      time: findings
        .map((one) => member(one, 'UpdatedAt'))
        .filter((time) => typeof time === 'string')
        .toSorted()
        .at(-1),
      counts,
    }
  },
}
