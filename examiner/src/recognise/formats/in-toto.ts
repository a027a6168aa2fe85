import { jsonValueIn } from '../json-values.ts'
import {
  elements,
  has,
  marked,
  member,
  oneOrMany,
  type Recogniser,
  recordsIn,
  type Stated,
  Tally,
  text,
  UnexpectedShape,
} from '../recogniser.ts'

const STATEMENT = /^https:\/\/in-toto\.io\/Statement\/v(?:0\.1|1)$/

export const IN_TOTO: Recogniser = {
  format: 'in-toto statement',
  mark: /in-toto\.io\/Statement\//,
  reads: 'json',
  read: (values) => statementsIn(recordsIn(values)),
}

/** What statements say. Tool and time are known if they are SLSA provenance. Nothing is verified. */
function statementsIn(statements: readonly unknown[]): Stated {
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

export const DSSE: Recogniser = {
  format: 'DSSE envelope',
  mark: /"payload(?:Type)?"/,
  reads: 'json',
  read: (values) => envelopesIn(recordsIn(values)),
}

/** What signed statements say. Their signatures are counted, not verified. */
function envelopesIn(envelopes: readonly unknown[]): Stated {
  marked(envelopes, (one) => has(one, 'payload', 'payloadType') && Array.isArray(member(one, 'signatures')))
  const types = new Set(envelopes.map((one) => text(member(one, 'payloadType'))))
  const signatures = envelopes.flatMap((one) => elements(member(one, 'signatures')))
  const isInToto = types.size === 1 && types.has('application/vnd.in-toto+json')
  const stated: Stated = isInToto
    ? statementsIn(envelopes.map(statementIn))
    : { target: [...types].join(', ') }
  const counts = new Tally()
  for (const { name, count } of stated.counts?.list() ?? []) counts.add(name, count)
  counts.add('signatures', signatures.length)
  return { ...stated, counts }
}

/** In base64, standard or URL-safe. */
function statementIn(envelope: unknown): unknown {
  const payload = text(member(envelope, 'payload')).replaceAll('-', '+').replaceAll('_', '/')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(payload)) throw new UnexpectedShape()
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
  return jsonValueIn(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}
