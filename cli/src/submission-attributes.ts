import { parseSubmissionProvenance } from '@kitseal/examiner/submission-provenance'
import { parseStrictJson, type SubmissionProvenance } from '@kitseal/kit/internal'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'

/** `NAME=VALUE` in two parts. */
export function pairOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** `ITEM=PATH` of --confirm. */
export const confirmed = (texts: readonly string[]): readonly { item: string; path: string }[] =>
  texts.map(pairOf).map(([item, path]) => ({ item, path }))

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
