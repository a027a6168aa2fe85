import { elements, member, only, Tally, UnexpectedShape, type Recogniser } from '../recogniser.ts'

export const GRYPE: Recogniser = {
  format: 'Grype',
  mark: /"(?:matches|descriptor)"/,
  reads: 'json',
  read(values) {
    const report = only(values)
    if (member(report, 'descriptor', 'name') !== 'grype') return undefined
    const matches = member(report, 'matches')
    if (!Array.isArray(matches)) return undefined
    if (matches.some((one) => typeof member(one, 'vulnerability', 'id') !== 'string'))
      throw new UnexpectedShape()
    const ignored = elements(member(report, 'ignoredMatches'))
    const counts = new Tally('matches')
    counts.add('matches', matches.length)
    if (ignored.length > 0) counts.add('ignored', ignored.length)
    const source = member(report, 'source', 'target')
    return {
      tool: 'Grype',
      version: member(report, 'descriptor', 'version'),
      target: typeof source === 'string' ? source : member(source, 'userInput'),
      time: member(report, 'descriptor', 'timestamp'),
      counts,
    }
  },
}
