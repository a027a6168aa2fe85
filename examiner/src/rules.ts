import {
  englishTexts,
  type MessageArguments,
  type Reason,
  type Translate,
  type Why,
} from '@kitseal/kit/internal'
import findings from '../../texts/en/findings.json' with { type: 'json' }
import verifier from '../../texts/en/verifier.json' with { type: 'json' }

/**
 * What a finding means for the submission: `danger` always blocks it, `damage` and `secret` block it unless the supplier
 * acknowledges them by their code, and a `notice` never does. Secrets are shown first.
 */
export type FindingClass = 'danger' | 'damage' | 'secret' | 'notice'

/** One rule of the service. `message` holds for every file that breaks it; a detail about the file at hand follows it. */
export interface Rule {
  readonly class: FindingClass
  readonly message: string
  readonly remedy: string
}

const CLASSES = {
  empty_submission: 'danger',
  empty_file: 'damage',
  empty_text: 'notice',
  empty_archive: 'danger',
  unsupported_type: 'notice',
  partly_examined: 'notice',
  not_examined_in_time: 'danger',
  type_mismatch: 'notice',
  control_characters: 'notice',
  executable_content: 'danger',
  script_content: 'notice',
  macros: 'damage',
  encrypted_archive: 'damage',
  encrypted_pdf: 'damage',
  encrypted_office: 'damage',
  unreadable_archive: 'danger',
  irregular_archive: 'damage',
  archive_method: 'damage',
  name_traversal: 'danger',
  name_absolute: 'danger',
  name_backslash: 'damage',
  name_not_unicode: 'danger',
  name_decoded: 'notice',
  name_changed: 'notice',
  name_unportable: 'notice',
  name_forbidden: 'danger',
  name_direction: 'danger',
  name_collision: 'danger',
  link: 'danger',
  special_file: 'danger',
  too_many_entries: 'danger',
  too_large_unpacked: 'danger',
  archive_ratio: 'danger',
  nested_too_deep: 'danger',
  xml_entities: 'danger',
  malformed_pdf: 'damage',
  malformed_office: 'damage',
  malformed_gzip: 'damage',
  malformed_image: 'damage',
  active_content: 'notice',
  appended_content: 'danger',
  private_key: 'danger',
  possible_secret: 'secret',
  kit_verified: 'notice',
  kit_unconfirmed: 'notice',
  kit_altered: 'damage',
  kit_forged: 'damage',
  kit_key_revoked: 'damage',
  test_virus: 'danger',
  virus_found: 'danger',
  scan_failed: 'danger',
  checksum_mismatch: 'damage',
  checksum_file_missing: 'damage',
  checksum_list_malformed: 'notice',
  profile_item_missing: 'damage',
  profile_item_too_old: 'damage',
  profile_item_undated: 'damage',
  provenance_unmatched: 'notice',
  more_findings: 'notice',
  more_blockers: 'danger',
} as const satisfies Readonly<Record<string, FindingClass>>

export type RuleCode = keyof typeof CLASSES

const texts = englishTexts({ ...verifier, ...findings })

/** What findings.json says about a rule, or about why the service itself could not do its work. */
export const sentencesOf = (code: string): Pick<Rule, 'message' | 'remedy'> => ({
  message: texts.find(`finding.${code}.message`) ?? code,
  remedy: texts.find(`finding.${code}.remedy`) ?? code,
})

export const RULES = Object.fromEntries(
  Object.entries(CLASSES).map(([code, kind]) => [code, { class: kind, ...sentencesOf(code) }]),
) as Readonly<Record<RuleCode, Rule>>

/** A broken rule, before it is attached to a path. */
export interface Finding {
  readonly code: RuleCode
  readonly detail?: Why | undefined
}

export type DetailKey = Exclude<keyof typeof findings, `finding.${string}.remedy`>

/** Of a message without arguments. */
export type PlainDetail = Exclude<DetailKey, keyof MessageArguments>

/** What is found in one file, in English and as a message for other languages. */
export const detailOf: Translate<DetailKey, never, Reason> = (key, ...[args = {}]) => ({
  key,
  args,
  text: texts.find(key, args) ?? key,
})

/** Several details as one. */
export const detailsOf = (details: readonly Reason[]): Reason | undefined =>
  details.reduceRight<Reason | undefined>(
    (rest, first) => (rest === undefined ? first : detailOf('detail.list', { first, rest })),
    undefined,
  )
