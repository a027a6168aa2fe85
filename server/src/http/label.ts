import type { JsonValue } from '@kitseal/kit'

const LONGEST_LABEL = 200
/** One line of text: what has control characters in it can't be shown, and not every database can hold it. */
const LINE = String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$`

/** A label as JSON Schema says it. */
export const LABEL = { minLength: 1, maxLength: LONGEST_LABEL, pattern: LINE } as const

const ONE_LINE = new RegExp(LINE, 'u')

export const lineProblem = (text: string): string | undefined =>
  ONE_LINE.test(text) ? undefined : 'must be one line of text, without control characters'

/** What is wrong with a label, said after its name; undefined where nothing is. */
export function labelProblem(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string') return 'must be a string'
  const length = Array.from(value).length
  if (length === 0 || length > LONGEST_LABEL)
    return `must have 1 to ${LONGEST_LABEL} characters, and has ${length}`
  return lineProblem(value)
}
