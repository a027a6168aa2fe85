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
import { hostOf, inAscii } from './same-origin.ts'
import { english, type Say } from './texts/english.ts'
import type { Verdict } from './verdicts.ts'

/** Entries with the same basis, for people. */
export interface ProvenanceGroup {
  readonly is: ProvenanceEntry['statement']
  /** A heading and a mark that differ between what is verified and what is stated, without colour. */
  readonly heading: string
  readonly mark: '✓' | '“'
  readonly lines: readonly ProvenanceLine[]
}

interface ProvenanceLine {
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
  t: Say = english,
): readonly ProvenanceGroup[] {
  const groups = [
    {
      is: confirmed ? 'verified' : 'stated',
      heading: confirmed
        ? t('provenance.headings.verified', { host: hostOf(issuer) })
        : t('provenance.headings.unconfirmed'),
      of: entries.filter(({ statement }) => statement === 'verified'),
    },
    {
      is: 'stated',
      heading: t('provenance.headings.supplier'),
      of: entries.filter(
        (entry) => entry.source === 'supplier' || entry.source === 'client' || isNamed(entry),
      ),
    },
    {
      is: 'stated',
      heading: t('provenance.headings.files'),
      of: entries.filter(({ source }) => source === 'recognised'),
    },
  ] as const
  return groups
    .filter(({ of }) => of.length > 0)
    .map(({ is, heading, of }) => ({
      is,
      heading,
      mark: is === 'verified' ? '✓' : '“',
      lines: of.map((entry) => ({
        files: filesOf(entry, t),
        text:
          heading === t('provenance.headings.supplier') && isNamed(entry)
            ? t('provenance.keyName', { name: quoted(entry.key_name) })
            : textOf(entry, t),
      })),
    }))
}

type Upload = Extract<ProvenanceEntry, { readonly source: 'upload' }>

/** The name of a key is its owner's text, in the entry about an upload too. */
const isNamed = (entry: ProvenanceEntry): entry is Upload & { readonly key_name: string } =>
  entry.source === 'upload' && entry.key_name !== undefined

function filesOf({ paths }: ProvenanceEntry, t: Say): string {
  if (paths === ALL_FILES) return t('provenance.allFiles')
  const [first = '', ...more] = paths
  const path = PLAIN_PATH.test(first) ? first : quoted(first)
  return more.length === 0 ? path : t('provenance.andMore', { first: path, more: String(more.length) })
}

const PLAIN_PATH = /^[\p{L}\p{M}\p{N}._/-]+$/u

/** Text that others chose, so that it is told from the words around it, and no separator in it is one of the line. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll(SEPARATOR, '\\u00b7')

function textOf(entry: ProvenanceEntry, t: Say): string {
  switch (entry.source) {
    case 'ci_token':
      return joined(
        t('provenance.token', {
          issuer: /^https?:/.test(entry.issuer) ? inAscii(entry.issuer) : quoted(entry.issuer),
        }),
        entry.repository && t('provenance.repository', { name: quoted(entry.repository) }),
        entry.workflow && t('provenance.workflow', { name: quoted(entry.workflow) }),
        entry.run &&
          (entry.attempt === undefined
            ? t('provenance.run', { run: quoted(entry.run) })
            : t('provenance.attempt', { run: quoted(entry.run), attempt: quoted(entry.attempt) })),
        entry.ref && t('provenance.ref', { ref: quoted(entry.ref) }),
        entry.commit && t('provenance.commit', { commit: quoted(entry.commit) }),
      )
    case 'upload':
      return joined(
        t('provenance.uploaded', { time: readable(entry.at) }),
        entry.protocol === 'tus'
          ? t('provenance.resumable', { route: t(`provenance.routes.${entry.route}`) })
          : t(`provenance.routes.${entry.route}`),
        entry.key_id && t('provenance.key', { id: entry.key_id }),
        entry.member_id && t('provenance.member', { id: entry.member_id }),
        entry.link_id && t('provenance.link', { id: entry.link_id }),
      )
    case 'service':
      return t('provenance.byService', { time: readable(entry.at) })
    case 'confirmed_address':
      return t('provenance.confirmedAddress', {
        address: quoted(inAscii(entry.address)),
        time: readable(entry.confirmed_at),
      })
    case 'supplier':
      return joined(entry.name && t('provenance.sentBy', { name: quoted(entry.name) }), statedText(entry, t))
    case 'client':
      return t('provenance.uploadedWith', { program: quoted(program(entry)) })
    case 'recognised':
      return quoted(entry.summary)
  }
}

const program = ({ name, version }: { readonly name: string; readonly version?: string }): string =>
  version === undefined ? name : `${name} ${version}`

function statedText({ collector, collected_at, period, system, query }: StatedProvenance, t: Say): string {
  return joined(
    collector && t('provenance.collectedWith', { program: quoted(program(collector)) }),
    collector?.command && t('provenance.command', { command: quoted(oneLine(collector.command)) }),
    collected_at && t('provenance.collected', { time: readable(collected_at) }),
    period && t('provenance.period', { from: readable(period.from), to: readable(period.to) }),
    system && t('provenance.system', { system: quoted(system) }),
    query && t('provenance.query', { query: quoted(oneLine(query)) }),
  )
}

const SEPARATOR = '·'

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(` ${SEPARATOR} `)

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
  const artifact = artifacts.find(({ path }) => path === PROVENANCE_PATH)
  if (artifact === undefined) return undefined
  const confirmed = verdict === 'verified'
  const isListed = provenance !== undefined && hex(host.digest(provenance)) === artifact.sha256
  const paths = new Set(artifacts.map(({ path }) => path))
  const parsed = parseDocument(isListed ? provenance : undefined, PROVENANCE_PATH, (value) =>
    parseProvenance(value, paths),
  )
  if (parsed.ok) return { confirmed, problem: null, entries: parsed.value.entries }
  const [problem = ''] = parsed.problems
  return { confirmed, problem: `${PROVENANCE_PATH} is malformed: ${problem}`, entries: [] }
}
