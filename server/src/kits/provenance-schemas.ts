import { PROTOCOLS, ROUTES, SOURCES } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import { Closed, Count, DateTime, NullableString, OneOf } from '../http/schema-parts.ts'

const Line = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) })
const Day = (description?: string) =>
  Type.String({ maxLength: 35, ...(description === undefined ? {} : { description }) })

const COLLECTOR = { name: Line(200), version: Type.Optional(Line(100)), command: Type.Optional(Line(2000)) }
const PERIOD = { from: Day(), to: Day() }
const ABOUT_COLLECTOR = { description: 'The program that collected the evidence.' }
const ABOUT_PERIOD = { description: 'The time that the evidence is about.' }

const STATED = {
  collected_at: Type.Optional(Day('A date (`2026-01-31`), or a time with its zone (RFC 3339).')),
  system: Type.Optional(Line(500, 'The system, account or repository that the evidence is about.')),
  query: Type.Optional(Line(4000, 'What was asked for.')),
}

/** What a supplier sends. kit/src/submission-provenance.ts checks it, and says what is wrong. */
const Stated = () => ({
  collector: Type.Optional(Closed(COLLECTOR, ABOUT_COLLECTOR)),
  period: Type.Optional(Closed(PERIOD, ABOUT_PERIOD)),
  ...STATED,
})

export const SubmissionProvenanceBody = () =>
  Closed(
    {
      ...Stated(),
      files: Type.Optional(
        Type.Record(Type.String(), Closed(Stated()), {
          maxProperties: 1000,
          description:
            'Statements about single files, by their path in the kit without `data/`. They replace the one about all files.',
        }),
      ),
    },
    {
      description:
        'Where you say the evidence came from. It is sealed in `reports/provenance.json` as stated by the supplier. `max_age_days` of a profile uses its dates.',
    },
  )

const ShownStated = () => ({
  collector: Type.Optional(Type.Object(COLLECTOR, ABOUT_COLLECTOR)),
  period: Type.Optional(Type.Object(PERIOD, ABOUT_PERIOD)),
  ...STATED,
})

export const ShownProvenance = () =>
  Type.Union(
    [
      Type.Object({
        ...ShownStated(),
        files: Type.Optional(Type.Record(Type.String(), Type.Object(ShownStated()))),
      }),
      Type.Null(),
    ],
    { description: 'What the supplier states about where the evidence came from.' },
  )

const Text = () => Type.Optional(Type.String())

/** An entry of reports/provenance.json. spec/schemas/provenance.json says which source has which members. */
const ProvenanceEntry = Type.Object({
  paths: Type.Union([Type.Literal('all files'), Type.Array(Type.String())]),
  source: OneOf(Object.keys(SOURCES) as readonly (keyof typeof SOURCES)[]),
  statement: OneOf(
    ['verified', 'stated'],
    '`verified` by the issuer of the kit, or `stated` by someone else and not verified.',
  ),
  ...ShownStated(),
  issuer: Text(),
  repository: Text(),
  ref: Text(),
  commit: Text(),
  workflow: Text(),
  run: Text(),
  attempt: Text(),
  at: Type.Optional(DateTime()),
  route: Type.Optional(OneOf(ROUTES)),
  protocol: Type.Optional(OneOf(PROTOCOLS)),
  workspace_id: Text(),
  key_id: Text(),
  key_name: Text(),
  member_id: Text(),
  link_id: Text(),
  address: Text(),
  confirmed_at: Type.Optional(DateTime()),
  name: Text(),
  version: Text(),
  format: Text(),
  tool: Text(),
  target: Text(),
  time: Text(),
  counts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), count: Count() }))),
  summary: Text(),
})

export const ProvenanceEntries = () =>
  Type.Array(ProvenanceEntry, {
    description: 'Where the evidence came from, as in `reports/provenance.json`.',
  })

export const ProvenanceResult = Type.Object(
  {
    confirmed: Type.Boolean({
      description: 'Whether the kit is verified. If not, nothing in the report counts as verified.',
    }),
    problem: NullableString('Why nothing of the report is shown: it is malformed.'),
    entries: ProvenanceEntries(),
  },
  {
    description: 'Where the evidence came from. Only if the kit is intact and has `reports/provenance.json`.',
  },
)
