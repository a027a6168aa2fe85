import { INVISIBLE } from '@kitseal/kit/internal'
import { Type } from 'typebox'

/** Control characters cannot be displayed or stored everywhere. Bidirectional controls make text display as something else. */
const ONE_LINE = `^[^${INVISIBLE.breaking}]*$`
const SEVERAL_LINES = String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f${INVISIBLE.direction}]*$`
/** A comma separates tags. */
const TAG = String.raw`^[^\s${INVISIBLE.breaking},]+( [^\s${INVISIBLE.breaking},]+)*$`
const LOCAL_OR_DOMAIN = String.raw`[^\s${INVISIBLE.hidden}@"<>()[\]\\,;:]+`
const EMAIL = `^${LOCAL_OR_DOMAIN}@${LOCAL_OR_DOMAIN}$`

/** What a string must be to match each pattern. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'one line of text without control or bidirectional characters',
  [SEVERAL_LINES]: 'text without control or bidirectional characters',
  [EMAIL]: 'an email address',
  [TAG]: 'one line of text without commas or extra spaces',
}

/** JSON Schema keywords of a label. */
export const LABEL = { minLength: 1, maxLength: 200, pattern: ONE_LINE } as const

/** JSON Schema keywords of a tag. */
export const TAG_TEXT = { minLength: 1, maxLength: 50, pattern: TAG } as const

/** One line of text, without the white space around it. */
export const Line = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: ONE_LINE, trim: true })

/** JSON Schema keywords of text with several lines. */
export const SEVERAL_LINES_OF = (maxLength: number) => ({ maxLength, pattern: SEVERAL_LINES }) as const

/** JSON Schema keywords of an email address. */
export const ADDRESS = { maxLength: 254, pattern: EMAIL } as const

/** One of a closed set of strings. */
export const OneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) })

export const Email = () => Type.String({ ...ADDRESS, trim: true })
