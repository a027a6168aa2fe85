import type { JsonValue } from '@kitseal/kit'

export const LONGEST_LABEL = 200

/** What has control characters in it can't be shown, and not every database can hold it. */
export const lineProblem = (text: string): string | undefined =>
  /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? 'must be one line of text, without control characters' : undefined

/** What is wrong with a label, said after its name; undefined where nothing is. */
export function labelProblem(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string') return 'must be a string'
  const length = Array.from(value).length
  if (length === 0 || length > LONGEST_LABEL)
    return `must have 1 to ${LONGEST_LABEL} characters, and has ${length}`
  return lineProblem(value)
}
