import { hex } from './encoding/bytes.ts'
import { type ExaminedKit, parseDocument } from './examine.ts'
import type { Host } from './host.ts'
import {
  ALL_FILES,
  parseProvenance,
  PROVENANCE_PATH,
  type ProvenanceEntry,
  type StatedProvenance,
} from './provenance.ts'
import { hostOf } from './same-origin.ts'
import { en, type KitTexts } from './texts/en.ts'
import { fill } from './texts/fill.ts'
import type { Verdict } from './verdicts.ts'

/** Entries with the same basis, for people. */
export interface ProvenanceGroup {
  readonly is: ProvenanceEntry['statement']
  /** A heading and a mark that differ between what is verified and what is stated, without colour. */
  readonly heading: string
  readonly mark: '✓' | '“'
  readonly lines: readonly ProvenanceLine[]
}

export interface ProvenanceLine {
  /** `All files`, a path, or how many files. */
  readonly files: string
  readonly text: string
}

/**
 * Where the files of a kit came from, in the words that pages, binder and command line show. `confirmed`: the kit is
 * verified. Otherwise nothing in it is shown as verified.
 */
export function describeProvenance(
  entries: readonly ProvenanceEntry[],
  issuer: string,
  confirmed: boolean,
  { provenance: t }: KitTexts = en,
): readonly ProvenanceGroup[] {
  const groups = [
    {
      is: confirmed ? 'verified' : 'stated',
      heading: confirmed ? fill(t.headings.verified, { host: hostOf(issuer) }) : t.headings.unconfirmed,
      of: entries.filter(({ statement }) => statement === 'verified'),
    },
    {
      is: 'stated',
      heading: t.headings.supplier,
      of: entries.filter(({ source }) => source === 'supplier' || source === 'client'),
    },
    {
      is: 'stated',
      heading: t.headings.files,
      of: entries.filter(({ source }) => source === 'recognised'),
    },
  ] as const
  return groups
    .filter(({ of }) => of.length > 0)
    .map(({ is, heading, of }) => ({
      is,
      heading,
      mark: is === 'verified' ? '✓' : '“',
      lines: of.map((entry) => ({ files: filesOf(entry, t), text: textOf(entry, t) })),
    }))
}

type Words = KitTexts['provenance']

function filesOf({ paths }: ProvenanceEntry, t: Words): string {
  if (paths === ALL_FILES) return t.allFiles
  const [first = '', ...more] = paths
  return more.length === 0 ? first : fill(t.andMore, { first, more: String(more.length) })
}

function textOf(entry: ProvenanceEntry, t: Words): string {
  switch (entry.source) {
    case 'ci_token':
      return joined(
        entry.repository === undefined ? t.ciRun : fill(t.ciRunOf, { repository: entry.repository }),
        entry.workflow && fill(t.workflow, { name: entry.workflow }),
        entry.run &&
          (entry.attempt === undefined
            ? fill(t.run, { run: entry.run })
            : fill(t.attempt, { run: entry.run, attempt: entry.attempt })),
        entry.ref,
        entry.commit && fill(t.commit, { commit: entry.commit }),
        fill(t.token, { issuer: entry.issuer }),
      )
    case 'upload':
      return joined(
        fill(t.uploaded, { time: readable(entry.at) }),
        entry.protocol === 'tus'
          ? fill(t.resumable, { route: t.routes[entry.route] })
          : t.routes[entry.route],
        entry.key_id &&
          fill(t.key, {
            name: entry.key_name === undefined ? entry.key_id : `${entry.key_name} (${entry.key_id})`,
          }),
        entry.member_id && fill(t.member, { id: entry.member_id }),
        entry.link_id && fill(t.link, { id: entry.link_id }),
      )
    case 'service':
      return fill(t.byService, { time: readable(entry.at) })
    case 'confirmed_address':
      return fill(t.confirmedAddress, { address: entry.address, time: readable(entry.confirmed_at) })
    case 'supplier':
      return joined(entry.name && fill(t.sentBy, { name: entry.name }), statedText(entry, t))
    case 'client':
      return fill(t.uploadedWith, { program: program(entry) })
    case 'recognised':
      return entry.summary
  }
}

const program = ({ name, version }: { readonly name: string; readonly version?: string }): string =>
  version === undefined ? name : `${name} ${version}`

function statedText({ collector, collected_at, period, system, query }: StatedProvenance, t: Words): string {
  return joined(
    collector && fill(t.collectedWith, { program: program(collector) }),
    collector?.command && fill(t.command, { command: oneLine(collector.command) }),
    collected_at && fill(t.collected, { time: readable(collected_at) }),
    period && fill(t.period, { from: readable(period.from), to: readable(period.to) }),
    system && fill(t.system, { system }),
    query && fill(t.query, { query: oneLine(query) }),
  )
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' · ')

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** `2026-03-04 05:06:08 UTC` */
const readable = (time: string): string => time.replace(/T(\S+?)(?:\.\d+)?Z$/, ' $1 UTC')

/** What a kit says about where its evidence came from. */
export interface ProvenanceReport {
  /** Whether the verdict is `verified`. If not, `verified` entries are only what the kit says. */
  readonly confirmed: boolean
  /** Why nothing of the report is shown: it is malformed. Null if it is well-formed. */
  readonly problem: string | null
  readonly entries: readonly ProvenanceEntry[]
}

/**
 * The provenance report of an intact kit; undefined if it has none. Like that of any other report, its form does not
 * change the status, but nothing of a malformed one is used.
 */
export function provenanceReport(
  { manifest, provenance }: Pick<ExaminedKit, 'manifest' | 'provenance'>,
  verdict: Verdict,
  host: Host,
): ProvenanceReport | undefined {
  if (!manifest.ok || verdict === 'altered' || verdict === 'unreadable') return undefined
  const { artifacts } = manifest.value
  const listed = artifacts.find(({ path }) => path === PROVENANCE_PATH)
  if (listed === undefined) return undefined
  const confirmed = verdict === 'verified'
  const isListed = provenance !== undefined && hex(host.digest(provenance)) === listed.sha256
  const paths = new Set(artifacts.map(({ path }) => path))
  const parsed = parseDocument(isListed ? provenance : undefined, PROVENANCE_PATH, (value) =>
    parseProvenance(value, paths),
  )
  if (parsed.ok) return { confirmed, problem: null, entries: parsed.value.entries }
  const [problem = ''] = parsed.problems
  return { confirmed, problem: `${PROVENANCE_PATH} is malformed: ${problem}`, entries: [] }
}
