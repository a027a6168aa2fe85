import { elements, marked, member, oneOrMany, recordsIn, UnexpectedShape } from '../members.ts'
import type { Recogniser, Stated } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const STATEMENT = /^https:\/\/in-toto\.io\/Statement\/v(?:0\.1|1)$/

export const IN_TOTO: Recogniser = {
  format: 'in-toto statement',
  mark: /in-toto\.io\/Statement\//,
  reads: 'json',
  read: (values) => statementsIn(recordsIn(values)),
}

/** What statements say. Tool and time are known if they are SLSA provenance. Nothing is verified. */
export function statementsIn(statements: readonly unknown[]): Stated {
  const [first] = marked(
    statements,
    (one) => STATEMENT.test(String(member(one, '_type'))) && typeof member(one, 'predicateType') === 'string',
  )
  const predicate = member(first, 'predicate')
  const subjects = statements.flatMap((one) => elements(member(one, 'subject')))
  if (subjects.some((subject) => typeof member(subject, 'digest') !== 'object')) throw new UnexpectedShape()
  const target = oneOrMany(
    '',
    subjects.map((subject) => member(subject, 'name')),
  )
  const type = String(member(first, 'predicateType'))
  return {
    tool: member(predicate, 'runDetails', 'builder', 'id') ?? member(predicate, 'builder', 'id'),
    target: target === undefined || subjects.length > 1 ? type : `${type} for ${target}`,
    time:
      member(predicate, 'runDetails', 'metadata', 'startedOn') ??
      member(predicate, 'metadata', 'buildStartedOn'),
    counts: Tally.just('subjects', subjects.length),
  }
}
