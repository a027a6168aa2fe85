import { has, marked, recordsIn, Tally, type Recogniser } from '../recogniser.ts'

/** Its records contain the secrets, and nothing about the run. */
export const GITLEAKS: Recogniser = {
  format: 'gitleaks',
  mark: /"(?:RuleID|offender)"/,
  reads: 'json',
  read(values) {
    const leaks = marked(
      recordsIn(values),
      (one) => has(one, 'RuleID', 'Secret', 'Match') || has(one, 'offender', 'rule', 'commit'),
    )
    return { tool: 'gitleaks', counts: Tally.just('findings', leaks.length) }
  },
}
