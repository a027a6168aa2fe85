import { has, marked, member, recordsIn, UnexpectedShape } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

/** Its records contain the secrets, and nothing about the run. */
export const TRUFFLEHOG: Recogniser = {
  format: 'trufflehog',
  mark: /"SourceMetadata"/,
  reads: 'json',
  read(values) {
    const found = marked(recordsIn(values), (one) => has(one, 'SourceMetadata', 'DetectorName', 'Verified'))
    const counts = new Tally('verified', 'not verified')
    for (const one of found) {
      const isVerified = member(one, 'Verified')
      if (typeof isVerified !== 'boolean') throw new UnexpectedShape()
      counts.add(isVerified ? 'verified' : 'not verified')
    }
    return { tool: 'trufflehog', counts }
  },
}
