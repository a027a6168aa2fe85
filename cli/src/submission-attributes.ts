import { parseStrictJson, parseSubmissionProvenance, type SubmissionProvenance } from '@kitseal/kit/internal'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'

/** What a submission is found by later. */
export interface Attributes {
  readonly series?: string
  readonly external_id?: string
  readonly tags?: readonly string[]
  readonly metadata?: Record<string, string>
}

/** From `--series`, `--external-id`, `--tag` and `--metadata`. Members that are not given are absent. */
export function attributesIn(
  values: (option: 'series' | 'external-id' | 'tag' | 'metadata') => readonly string[],
): Attributes {
  const [series] = values('series')
  const [externalId] = values('external-id')
  const [tags, metadata] = [values('tag'), values('metadata')]
  return {
    ...(series === undefined ? {} : { series }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata.map(pairOf)) }),
  }
}

export function metadataProblems(given: readonly string[]): readonly string[] {
  const wrong = given
    .filter((text) => !/^[^=]+=/.test(text))
    .map((text) => `--metadata ${JSON.stringify(text)} must be NAME=TEXT`)
  const names = given.map((text) => pairOf(text)[0])
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? wrong : [...wrong, `--metadata ${twice} is given twice`]
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** `ITEM=PATH` of --confirm. */
export const confirmed = (texts: readonly string[]): readonly { item: string; path: string }[] =>
  texts.map((text) => ({ item: text.slice(0, text.indexOf('=')), path: text.slice(text.indexOf('=') + 1) }))

export const confirmProblems = (texts: readonly string[]): readonly (string | false)[] =>
  texts.map((text) => !/^[^=]+=./.test(text) && `--confirm must be ITEM=PATH, not ${JSON.stringify(text)}`)

/** Reads the file of --provenance: one statement for all files, and in `files` those about single files. */
export async function readProvenance(path: string | undefined): Promise<SubmissionProvenance | undefined> {
  if (path === undefined) return undefined
  const value = await readOrFail(path, () =>
    parseStrictJson(readSmallFile(path, { what: 'a provenance statement', limitMiB: 1 })),
  )
  const parsed = parseSubmissionProvenance(value)
  if (parsed.ok) return parsed.value
  throw new InputError(...parsed.problems.map((problem) => `${path}: ${problem}`))
}
