import type { Encoding } from '../detect/text-encoding.ts'
import type { Finding } from '../rules.ts'
import type { Markup } from '../secrets/secret-starts.ts'
import type { EncodedPart } from './encoded-part.ts'
import type { Held } from '../structures/held.ts'

/** Checks a text while it is read, in bounded memory. */
export interface TextCheck {
  /** UTF-16 is converted to UTF-8 before it is pushed. */
  readonly readsUtf8?: boolean
  /** Whether it is searched for what runs in a browser. */
  readonly markup?: Markup
  /** Whether the text may contain binary data. */
  readonly readsBinary?: boolean
  /** `utf8`: the same text, converted if it is in UTF-16. */
  push?(bytes: Uint8Array, utf8?: Uint8Array): void
  end(text: ReadText): TextReport
}

/** What is known once a text has been read. */
export interface ReadText {
  readonly encoding: Encoding
  readonly head: Uint8Array
  /** Undefined for large files. */
  readonly whole: Uint8Array | undefined
  /** Whether something in it runs in a browser. */
  readonly hasActive?: boolean
}

export interface TextReport {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** Files inside of it, to examine next. */
  readonly parts?: readonly TextPart[]
}

/** A file inside of a text: in a range of it, or decoded already. */
export type TextPart = { readonly name: string; readonly held: Held } & (
  | EncodedPart
  | { readonly bytes: Uint8Array }
)

export type StartTextCheck = (file: {
  readonly sizeBytes: number
  /** Reserves work for a slow parser; false if the budget of the submission is used up. */
  readonly takeParsing: (bytes: number) => boolean
}) => TextCheck

export const NO_FINDINGS: TextReport = { findings: [], notes: [] }

/** For a text that a slow parser does not read. */
export const tooLarge = (language: string, fileLimit: string, limit: string): TextReport => ({
  findings: [
    {
      code: 'partly_examined',
      detail: `it is too large to parse as ${language}: up to ${fileLimit} of a file, and ${limit} of all, are parsed`,
    },
  ],
  notes: [`not parsed as ${language}: too large; checked as text`],
})

export function isUtf16(encoding: Encoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be'
}
