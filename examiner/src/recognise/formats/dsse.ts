import { jsonValueIn } from '../json-values.ts'
import { elements, has, marked, member, recordsIn, text, UnexpectedShape } from '../members.ts'
import type { Recogniser, Stated } from '../recogniser.ts'
import { Tally } from '../tally.ts'
import { statementsIn } from './in-toto.ts'

export const DSSE: Recogniser = {
  format: 'DSSE envelope',
  mark: /"payload(?:Type)?"/,
  reads: 'json',
  read: (values) => envelopesIn(recordsIn(values)),
}

/** What signed statements say. Their signatures are counted, not verified. */
export function envelopesIn(envelopes: readonly unknown[]): Stated {
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
