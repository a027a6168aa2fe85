import { ALL_FILES, type ProvenanceEntry, type StatedProvenance } from './provenance.ts'
import { hostOf } from './same-origin.ts'

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

export const PROVENANCE_HEADINGS = {
  verified: (host: string) => `Verified by ${host}`,
  unconfirmed: 'Named in the kit, not confirmed',
  supplier: 'Stated by the supplier, not verified',
  files: 'Stated by the files, not verified',
}

/**
 * Where the files of a kit came from, in the words that pages, binder and command line show. `confirmed`: the kit is
 * verified. Otherwise nothing in it is shown as verified.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { describeProvenance } from '@kitseal/kit'
 *
 * const entry = { paths: 'all files', source: 'supplier', statement: 'stated', collected_at: '2026-11-12' } as const
 * const [group] = describeProvenance([entry], 'https://issuer.example', true)
 * assert.equal(group?.heading, 'Stated by the supplier, not verified')
 * assert.deepEqual(group?.lines, [{ files: 'All files', text: 'collected 2026-11-12' }])
 * ```
 */
export function describeProvenance(
  entries: readonly ProvenanceEntry[],
  issuer: string,
  confirmed: boolean,
): readonly ProvenanceGroup[] {
  const groups = [
    {
      is: confirmed ? 'verified' : 'stated',
      heading: confirmed ? PROVENANCE_HEADINGS.verified(hostOf(issuer)) : PROVENANCE_HEADINGS.unconfirmed,
      of: entries.filter(({ statement }) => statement === 'verified'),
    },
    {
      is: 'stated',
      heading: PROVENANCE_HEADINGS.supplier,
      of: entries.filter(({ source }) => source === 'supplier' || source === 'client'),
    },
    {
      is: 'stated',
      heading: PROVENANCE_HEADINGS.files,
      of: entries.filter(({ source }) => source === 'recognised'),
    },
  ] as const
  return groups
    .filter(({ of }) => of.length > 0)
    .map(({ is, heading, of }) => ({
      is,
      heading,
      mark: is === 'verified' ? '✓' : '“',
      lines: of.map(lineOf),
    }))
}

const lineOf = (entry: ProvenanceEntry): ProvenanceLine => ({ files: filesOf(entry), text: textOf(entry) })

function filesOf({ paths }: ProvenanceEntry): string {
  if (paths === ALL_FILES) return 'All files'
  const [first = '', ...more] = paths
  return more.length === 0 ? first : `${first} and ${more.length} more`
}

function textOf(entry: ProvenanceEntry): string {
  switch (entry.source) {
    case 'ci_token':
      return joined(
        entry.repository === undefined ? 'CI run' : `CI run of ${entry.repository}`,
        entry.workflow && `workflow ${entry.workflow}`,
        entry.run && `run ${entry.run}${entry.attempt === undefined ? '' : `, attempt ${entry.attempt}`}`,
        entry.ref,
        entry.commit && `commit ${entry.commit}`,
        `token of ${entry.issuer}`,
      )
    case 'upload':
      return joined(
        `uploaded ${readable(entry.at)}`,
        `${ROUTE[entry.route]}${entry.protocol === 'tus' ? ' (resumable)' : ''}`,
        entry.key_id &&
          `key ${entry.key_name === undefined ? entry.key_id : `${entry.key_name} (${entry.key_id})`}`,
        entry.member_id && `member ${entry.member_id}`,
        entry.link_id && `link ${entry.link_id}`,
      )
    case 'service':
      return `written by the service ${readable(entry.at)}`
    case 'confirmed_address':
      return `sent by ${entry.address}, confirmed ${readable(entry.confirmed_at)}`
    case 'supplier':
      return joined(entry.name && `sent by ${entry.name}`, statedText(entry))
    case 'client':
      return `uploaded with ${entry.name}${entry.version === undefined ? '' : ` ${entry.version}`}`
    case 'recognised':
      return entry.summary
  }
}

const ROUTE = {
  browser: 'in the browser',
  api: 'through the API',
  request_link: 'through the link of a request',
}

function statedText({ collector, collected_at, period, system, query }: StatedProvenance): string {
  return joined(
    collector &&
      `collected with ${collector.name}${collector.version === undefined ? '' : ` ${collector.version}`}`,
    collector?.command && `command ${oneLine(collector.command)}`,
    collected_at && `collected ${readable(collected_at)}`,
    period && `period ${readable(period.from)} to ${readable(period.to)}`,
    system && `system ${system}`,
    query && `query ${oneLine(query)}`,
  )
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' · ')

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** `2026-03-04 05:06:08 UTC` */
const readable = (time: string): string => time.replace(/T(\S+?)(?:\.\d+)?Z$/, ' $1 UTC')
