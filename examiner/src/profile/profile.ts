import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Parsed,
  parseStrictJson,
  StrictJsonError,
} from '@kitseal/kit/internal'
import { FILE_TYPES, type TypeId } from '../file-types.ts'
import { classProblem, type EvidencePolicy, type FindingClasses } from '../policy.ts'

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

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const TYPE_IDS = new Set<string>(FILE_TYPES.map(({ id }) => id))

/** Parses a profile and reports every problem. The same rules as a schema: spec/schemas/profile.json. */
export function parseProfile(bytes: Uint8Array): Parsed<Profile> {
  let value: JsonValue
  try {
    value = parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof StrictJsonError) return { ok: false, problems: [error.message] }
    throw error
  }
  if (!isJsonObject(value)) return { ok: false, problems: ['a profile must be a JSON object'] }
  const problems: string[] = []
  const at = new Members(value, '', problems)
  at.only(['$schema', 'profile', 'title', 'description', 'items', 'evidence_policy', 'finding_classes'])
  const profile: Profile = {
    profile: at.matching('profile', NAME, 'lower-case letters, digits and hyphens'),
    title: at.text('title', 200),
    description: at.text('description', 2000),
    items: at.list('items', 500).map((item, index) => parseItem(item, `items[${index}]`, problems)),
    ...parsePolicy(value, problems),
  }
  const ids = profile.items.map(({ id }) => id)
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) {
    problems.push(`items: duplicate id ${JSON.stringify(id)}`)
  }
  return problems.length === 0 ? { ok: true, value: profile } : { ok: false, problems }
}

function parsePolicy(value: JsonObject, problems: string[]): Pick<Profile, 'policy'> {
  const { evidence_policy: evidence = 'open', finding_classes: classes = {} } = value
  if (evidence !== 'open' && evidence !== 'examined_only')
    problems.push('evidence_policy must be open or examined_only')
  if (!isJsonObject(classes)) {
    problems.push('finding_classes must be an object')
    return {}
  }
  for (const [code, asked] of Object.entries(classes)) {
    const problem = classProblem(code, String(asked))
    if (problem !== undefined) problems.push(`finding_classes: ${problem}`)
  }
  if (evidence === 'open' && Object.keys(classes).length === 0) return {}
  const isOpen = evidence !== 'examined_only'
  return { policy: { evidence: isOpen ? 'open' : evidence, classes: classes as FindingClasses } }
}

function parseItem(value: JsonValue, where: string, problems: string[]): ProfileItem {
  if (!isJsonObject(value)) {
    problems.push(`${where} must be an object`)
    return { id: '', title: '', controls: [], paths: [], types: [], minFiles: 0 }
  }
  const at = new Members(value, `${where}.`, problems)
  at.only(ITEM_MEMBERS)
  const maxAgeDays = 'max_age_days' in value ? at.integer('max_age_days', 1, 36_500) : undefined
  const types = 'types' in value ? at.texts('types', 50) : []
  for (const type of types) {
    if (!TYPE_IDS.has(type))
      problems.push(`${where}.types: ${JSON.stringify(type)} is not one of ${[...TYPE_IDS].join(', ')}`)
  }
  const paths = 'paths' in value ? at.texts('paths', 50) : []
  if ('paths' in value && paths.length === 0)
    problems.push(`${where}.paths must contain at least one pattern`)
  return {
    id: at.matching('id', NAME, 'lower-case letters, digits and hyphens'),
    title: at.text('title', 200),
    ...('description' in value ? { description: at.text('description', 2000) } : {}),
    ...('example' in value ? { example: at.text('example', 200) } : {}),
    controls: 'controls' in value ? at.texts('controls', 50) : [],
    paths,
    types: types as readonly TypeId[],
    minFiles: 'min_files' in value ? at.integer('min_files', 0, 10_000) : 1,
    ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
  }
}

const ITEM_MEMBERS = [
  'id',
  'title',
  'description',
  'example',
  'controls',
  'paths',
  'types',
  'min_files',
  'max_age_days',
] as const

/** Reads members by type and collects the problems. */
class Members {
  readonly #object: JsonObject
  readonly #where: string
  readonly #problems: string[]

  constructor(object: JsonObject, where: string, problems: string[]) {
    this.#object = object
    this.#where = where
    this.#problems = problems
  }

  only(names: readonly string[]): void {
    for (const name of Object.keys(this.#object)) {
      if (!names.includes(name)) this.#problems.push(`${this.#where}${name} is not a known member`)
    }
  }

  text(name: string, maxLength: number): string {
    const value = this.#object[name]
    if (isText(value, maxLength)) return value
    return this.#reject(name, `must be a string of 1 to ${maxLength} characters`, '')
  }

  matching(name: string, pattern: RegExp, characters: string): string {
    const value = this.#object[name]
    if (typeof value === 'string' && pattern.test(value)) return value
    return this.#reject(name, `must consist of ${characters}`, '')
  }

  list(name: string, maxLength: number): readonly JsonValue[] {
    const value = this.#object[name]
    if (Array.isArray(value) && value.length <= maxLength) return value
    return this.#reject(name, `must be an array of at most ${maxLength}`, [])
  }

  texts(name: string, maxLength: number): readonly string[] {
    const items = this.list(name, maxLength)
    const texts = items.filter((item) => isText(item, 200))
    if (texts.length === items.length) return texts
    return this.#reject(name, 'must contain strings of 1 to 200 characters', texts)
  }

  integer(name: string, min: number, max: number): number {
    const value = this.#object[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    return this.#reject(name, `must be an integer from ${min} to ${max}`, min)
  }

  #reject<Value>(name: string, problem: string, fallback: Value): Value {
    this.#problems.push(`${this.#where}${name} ${problem}`)
    return fallback
  }
}

function isText(value: JsonValue | undefined, maxLength: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength
}
