import { HIDDEN } from './invisible.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './encoding/strict-json.ts'
import {
  count,
  identifier,
  instant,
  literal,
  nonEmptyString,
  oneOf,
  optional,
  type Parsed,
  parseObject,
  type Rule,
  type Rules,
} from './parsing.ts'

export const PROVENANCE_PATH = 'reports/provenance.json'
export const PROVENANCE_VERSION = 'kitseal-provenance-1'
export const PROVENANCE_LIMIT_BYTES = 16 * 1024 * 1024
/** Instead of a list of paths. */
export const ALL_FILES = 'all files'

/** reports/provenance.json: where the evidence of a kit came from. */
export type Provenance = {
  readonly provenance_version: typeof PROVENANCE_VERSION
  readonly entries: readonly ProvenanceEntry[]
  readonly boundary: string
}

/** What the supplier says about the files. A day (2026-01-31) or an RFC 3339 time where there is a date. */
export type StatedProvenance = {
  readonly collector?: { readonly name: string; readonly version?: string; readonly command?: string }
  readonly collected_at?: string
  /** The time that the evidence is about. */
  readonly period?: { readonly from: string; readonly to: string }
  readonly system?: string
  readonly query?: string
}

/** Claims of the token of a CI system, which the service has verified. */
export type CiClaims = {
  readonly issuer: string
  readonly repository?: string
  readonly ref?: string
  readonly commit?: string
  readonly workflow?: string
  readonly run?: string
  readonly attempt?: string
}

type Verified<Source extends string> = { readonly source: Source; readonly statement: 'verified' }
type Stated<Source extends string> = { readonly source: Source; readonly statement: 'stated' }

/** Where files came from. `verified` by the issuer of the kit, or `stated` by someone else and not verified. */
export type ProvenanceEntry = { readonly paths: typeof ALL_FILES | readonly string[] } & (
  | (Verified<'ci_token'> & CiClaims)
  | (Verified<'upload'> & {
      readonly at: string
      readonly route: (typeof ROUTES)[number]
      readonly protocol: (typeof PROTOCOLS)[number]
      /** Not there for files that came through the link of a request. */
      readonly workspace_id?: string
      readonly key_id?: string
      readonly key_name?: string
      readonly member_id?: string
      readonly link_id?: string
    })
  /** The issuer wrote the file. */
  | (Verified<'service'> & { readonly at: string })
  /** Sealed only if the person agreed to it. */
  | (Verified<'confirmed_address'> & { readonly address: string; readonly confirmed_at: string })
  | (Stated<'supplier'> &
      StatedProvenance & {
        /** Of the person who submitted the files, as that person wrote it. */
        readonly name?: string
      })
  /** What the program that uploaded calls itself. */
  | (Stated<'client'> & { readonly name: string; readonly version?: string })
  /** What the file says about itself. */
  | (Stated<'recognised'> & RecognisedOutput)
)

/** What a file says about itself: the output of a tool in a format that is known. Nobody checked it. */
export interface RecognisedOutput {
  /** The name of the format, such as `SARIF`. */
  readonly format: string
  readonly tool?: string
  readonly version?: string
  /** What was looked at: an account, a host, an image. */
  readonly target?: string
  /** RFC 3339 if the file says the time zone, else the local time as written. */
  readonly time?: string
  readonly counts: readonly { readonly name: string; readonly count: number }[]
  /** All of it in one line: `Prowler 5.9 · account 123456789012 · 12 Nov 2026 · 412 pass, 9 fail`. */
  readonly summary: string
}

type ProvenanceSource = ProvenanceEntry['source']

export const ROUTES = ['browser', 'api', 'request_link'] as const
export const PROTOCOLS = ['form', 'tus'] as const

/** Parses reports/provenance.json. With `artifacts`, the paths in it must be among them. */
export function parseProvenance(value: JsonValue, artifacts?: ReadonlySet<string>): Parsed<Provenance> {
  const parsed = parseObject<Provenance>('the provenance report', value, REPORT_RULES)
  if (!parsed.ok) return parsed
  const problems = parsed.value.entries.flatMap((entry, index) =>
    entryProblems(entry as JsonValue, artifacts).map((problem) => `entry ${index}: ${problem}`),
  )
  return problems.length === 0 ? parsed : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
}

/** Parses what a supplier states about where evidence came from. */
export function parseStatedProvenance(value: JsonValue): Parsed<StatedProvenance> {
  const parsed = parseObject<StatedProvenance>('provenance', value, STATED)
  return parsed.ok && Object.keys(parsed.value).length === 0
    ? { ok: false, problems: ['provenance must not be empty'] }
    : parsed
}

const ONE_LINE = new RegExp(`^[^${HIDDEN}]*$`, 'u')
const LINES = new RegExp(`^(?:[^${HIDDEN}]|[\\t\\n])*$`, 'u')

const textRule =
  (pattern: RegExp, maxLength: number, kind: string): Rule =>
  (value) =>
    typeof value === 'string' && value.length > 0 && pattern.test(value) && [...value].length <= maxLength
      ? undefined
      : `must be ${kind} of 1 to ${maxLength} characters, without control characters`

const lineOf = (maxLength: number): Rule => textRule(ONE_LINE, maxLength, 'one line')

/** With line breaks and tabs. */
const linesOf = (maxLength: number): Rule => textRule(LINES, maxLength, 'a text')

/** A text from elsewhere as one line that a report can have; undefined if nothing is left. */
export function asLine(text: string, maxLength: number): string | undefined {
  const line = text
    .toWellFormed()
    .replaceAll(new RegExp(`[${HIDDEN}]+`, 'gu'), ' ')
    .trim()
  return line === '' ? undefined : [...line].slice(0, maxLength).join('')
}

const DATE =
  /^(?:19[7-9]\d|20\d\d)-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** A day from 1970 to 2099, or an RFC 3339 time on one. */
const date: Rule = (value) =>
  typeof value === 'string' && DATE.test(value) && isDay(value.slice(0, 10))
    ? undefined
    : 'must be a date (2026-01-31) or a time with its zone (2026-01-31T12:00:00Z)'

function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const DAY_MS = 86_400_000

/** The last millisecond of a day, or a time, in milliseconds. */
export const provenanceEnd = (text: string): number =>
  Date.parse(text) + (text.length === 10 ? DAY_MS - 1 : 0)

const inside =
  (rules: Rules): Rule =>
  (value) => {
    const parsed = parseObject<JsonObject>('it', value, rules)
    return parsed.ok ? undefined : `is wrong: ${parsed.problems.join('; ')}`
  }

const periodRule: Rule = (value) => {
  const problem = inside({ from: date, to: date })(value)
  if (problem !== undefined) return problem
  const { from, to } = value as { readonly from: string; readonly to: string }
  return Date.parse(from) <= provenanceEnd(to) ? undefined : 'must not end before it begins'
}

/** The members of StatedProvenance. */
const STATED: Rules = {
  collector: optional(
    inside({ name: lineOf(200), version: optional(lineOf(100)), command: optional(linesOf(2000)) }),
  ),
  collected_at: optional(date),
  period: optional(periodRule),
  system: optional(lineOf(500)),
  query: optional(linesOf(4000)),
}

const MAX_PROBLEMS = 20

const REPORT_RULES: Readonly<Record<keyof Provenance, Rule>> = {
  provenance_version: literal(PROVENANCE_VERSION),
  entries: (value) => (Array.isArray(value) ? undefined : 'must be a list'),
  boundary: nonEmptyString,
}

const MAX_COUNTS = 50

const isCount = (one: JsonValue): boolean => parseObject('it', one, { name: lineOf(100), count }).ok

const counts: Rule = (value) => {
  const isList = Array.isArray(value) && value.length <= MAX_COUNTS
  return isList && value.every(isCount) ? undefined : 'must be a list of at most 50 names with their counts'
}

/** A local time as the file has it, or an RFC 3339 time. */
const fileTime: Rule = lineOf(40)
const claim = optional(lineOf(500))

/** The members of each source, besides `paths`, `source` and `statement`. */
export const SOURCES: Readonly<
  Record<ProvenanceSource, { readonly statement: ProvenanceEntry['statement']; readonly members: Rules }>
> = {
  ci_token: {
    statement: 'verified',
    members: {
      issuer: lineOf(500),
      repository: claim,
      ref: claim,
      commit: claim,
      workflow: claim,
      run: claim,
      attempt: claim,
    },
  },
  upload: {
    statement: 'verified',
    members: {
      at: instant,
      route: oneOf(ROUTES),
      protocol: oneOf(PROTOCOLS),
      workspace_id: optional(identifier),
      key_id: optional(identifier),
      key_name: optional(lineOf(200)),
      member_id: optional(identifier),
      link_id: optional(identifier),
    },
  },
  service: { statement: 'verified', members: { at: instant } },
  confirmed_address: { statement: 'verified', members: { address: lineOf(320), confirmed_at: instant } },
  supplier: { statement: 'stated', members: { ...STATED, name: optional(lineOf(200)) } },
  client: { statement: 'stated', members: { name: lineOf(200), version: optional(lineOf(100)) } },
  recognised: {
    statement: 'stated',
    members: {
      format: lineOf(100),
      tool: optional(lineOf(200)),
      version: optional(lineOf(200)),
      target: optional(lineOf(500)),
      time: optional(fileTime),
      counts,
      summary: linesOf(1000),
    },
  },
}

function entryProblems(entry: JsonValue, artifacts: ReadonlySet<string> | undefined): readonly string[] {
  const source = isJsonObject(entry) ? entry['source'] : undefined
  if (typeof source !== 'string' || !Object.hasOwn(SOURCES, source)) return ['source is unknown']
  const { statement, members } = SOURCES[source as ProvenanceSource]
  const rules = {
    paths: pathsIn(artifacts),
    source: literal(source),
    statement: literal(statement),
    ...members,
  }
  const parsed = parseObject<JsonObject>('it', entry, rules)
  if (!parsed.ok) return parsed.problems
  return Object.keys(parsed.value).length > 3 ? [] : ['it says nothing']
}

function pathsIn(artifacts: ReadonlySet<string> | undefined): Rule {
  const isFile = (path: JsonValue): boolean =>
    typeof path === 'string' && path.startsWith('data/') && (artifacts?.has(path) ?? true)
  return (value) => {
    if (value === ALL_FILES) return undefined
    if (!Array.isArray(value) || value.length === 0) return `must be "${ALL_FILES}" or a list of paths`
    if (!value.every(isFile)) return 'must be paths of files below data/ that the manifest lists'
    return new Set(value).size === value.length ? undefined : 'must have each path once'
  }
}

/** What a supplier states about all files of a submission, and in `files` about some: their paths in the kit, without `data/`. */
export type SubmissionProvenance = StatedProvenance & {
  readonly files?: Readonly<Record<string, StatedProvenance>>
}
