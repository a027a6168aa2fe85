import {
  isJsonObject,
  type JsonValue,
  matching,
  optional,
  type Parsed,
  parseJson,
  parseObject,
  type Rule,
} from '@kitseal/kit/internal'
import { FILE_TYPES, type TypeId } from '../file-types.ts'
import { classProblem, type EvidencePolicy } from '../policy.ts'
import { repeatedIds } from '../request/item-list.ts'

/** A checklist of what a submission must contain. */
export interface Profile {
  readonly profile: string
  readonly title: string
  readonly description: string
  readonly items: readonly ProfileItem[]
  /** What it asks beyond the rules. */
  readonly policy?: EvidencePolicy | undefined
}

export interface ProfileItem {
  readonly id: string
  readonly title: string
  /** What to supply, for the person who collects it. */
  readonly description?: string | undefined
  /** The name of a file that would match, for people. */
  readonly example?: string | undefined
  /** References to controls of a standard, such as `CC6.1`. */
  readonly controls: readonly string[]
  /** Path patterns that suggest a file. It counts if a person confirms it, or put it into a folder named like the item's ID. */
  readonly paths: readonly string[]
  /** Empty for any type. */
  readonly types: readonly TypeId[]
  /** 0 makes the item optional. */
  readonly minFiles: number
  /** Counted from the date in the path of a file. */
  readonly maxAgeDays?: number | undefined
}

/** Requires nothing beyond the rules for all evidence. */
export const DEFAULT_PROFILE: Profile = {
  profile: 'default',
  title: 'Any evidence',
  description: 'No required items. The rules for all evidence apply.',
  items: [],
}

/** A profile as JSON, with the members of spec/schemas/profile.json. */
export const profileDocument = ({ items, policy, ...named }: Profile) => ({
  ...named,
  ...(policy === undefined ? {} : { evidence_policy: policy.evidence, finding_classes: policy.classes }),
  items: items.map(({ minFiles, maxAgeDays, description, example, controls, paths, types, ...item }) => ({
    ...item,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(controls.length === 0 ? {} : { controls: [...controls] }),
    ...(paths.length === 0 ? {} : { paths: [...paths] }),
    ...(types.length === 0 ? {} : { types: [...types] }),
    min_files: minFiles,
    ...(maxAgeDays === undefined ? {} : { max_age_days: maxAgeDays }),
  })),
})

/** Parses a profile and reports every problem. The same rules as a schema: spec/schemas/profile.json. */
export function parseProfile(bytes: Uint8Array): Parsed<Profile> {
  return parseJson(bytes, (value) => {
    const parsed = parseObject<ProfileJson>('a profile', value, PROFILE)
    const { items, finding_classes: classes } = isJsonObject(value) ? value : {}
    const problems = [
      ...(parsed.ok ? [] : parsed.problems),
      ...(Array.isArray(items) ? itemProblems(items) : []),
      ...Object.entries(isJsonObject(classes) ? classes : {}).flatMap(
        ([code, wanted]) => classProblem(code, String(wanted)) ?? [],
      ),
    ]
    return parsed.ok && problems.length === 0
      ? { ok: true, value: profileOf(parsed.value) }
      : { ok: false, problems }
  })
}

function itemProblems(items: readonly JsonValue[]): readonly string[] {
  const ids = items.map((item) => String(isJsonObject(item) ? item['id'] : ''))
  return [
    ...items.flatMap((item, index) => {
      const parsed = parseObject('it', item, ITEM)
      return parsed.ok ? [] : parsed.problems.map((problem) => `items[${index}].${problem}`)
    }),
    ...repeatedIds(ids).map((at) => `items: duplicate id ${JSON.stringify(ids[at])}`),
  ]
}

/** A profile whose members have been checked. */
interface ProfileJson extends Pick<Profile, 'profile' | 'title' | 'description'> {
  readonly items: readonly (Pick<ProfileItem, 'id' | 'title' | 'description' | 'example'> &
    Partial<Pick<ProfileItem, 'controls' | 'paths' | 'types'>> & {
      readonly min_files?: number
      readonly max_age_days?: number
    })[]
  readonly evidence_policy?: EvidencePolicy['evidence']
  readonly finding_classes?: EvidencePolicy['classes']
}

function profileOf({ profile, title, description, items, ...policy }: ProfileJson): Profile {
  const { evidence_policy: evidence = 'open', finding_classes: classes = {} } = policy
  const isOpen = evidence === 'open' && Object.keys(classes).length === 0
  return {
    profile,
    title,
    description,
    items: items.map(({ min_files: minFiles = 1, max_age_days: maxAgeDays, ...item }) => ({
      controls: [],
      paths: [],
      types: [],
      ...item,
      minFiles,
      ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
    })),
    ...(isOpen ? {} : { policy: { evidence, classes } }),
  }
}

const TYPE_IDS = FILE_TYPES.map(({ id }) => id)
const name = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  'must consist of lower-case letters, digits and hyphens',
)

const text =
  (maxLength: number): Rule =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= maxLength
      ? undefined
      : `must be a string of 1 to ${maxLength} characters`

const integer =
  (min: number, max: number): Rule =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`

const listOf =
  (rule: Rule, min: number, max: number): Rule =>
  (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max)
      return `must be an array of ${min} to ${max}`
    const problem = value.map((item) => rule(item)).find((one) => one !== undefined)
    return problem && `has an item that ${problem}`
  }

const typeId: Rule = (value) =>
  TYPE_IDS.includes(String(value))
    ? undefined
    : `is none: ${JSON.stringify(value)} is not one of ${TYPE_IDS.join(', ')}`

const PROFILE = {
  $schema: optional(() => undefined),
  profile: name,
  title: text(200),
  description: text(2000),
  items: listOf(() => undefined, 0, 500),
  evidence_policy: optional((value) =>
    value === 'open' || value === 'examined_only' ? undefined : 'must be open or examined_only',
  ),
  finding_classes: optional((value) => (isJsonObject(value) ? undefined : 'must be an object')),
}

const ITEM = {
  id: name,
  title: text(200),
  description: optional(text(2000)),
  example: optional(text(200)),
  controls: optional(listOf(text(200), 0, 50)),
  paths: optional(listOf(text(200), 1, 50)),
  types: optional(listOf(typeId, 0, 50)),
  min_files: optional(integer(0, 10_000)),
  max_age_days: optional(integer(1, 36_500)),
}
