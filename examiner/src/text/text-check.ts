import type { Encoding } from '../detect/text-encoding.ts'
import type { Finding } from '../rules.ts'
import type { Markup } from '../secrets/secret-starts.ts'
import type { EncodedPart } from './encoded-part.ts'

/**
 * How a file is contained in another, which decides what counts in it: a file of an archive, an attachment of a message or
 * PDF, an entry of a package such as an e-book, a part of an Office file, or an object in a document.
 */
export type Containment = 'file' | 'attachment' | 'package' | 'part'

/** Checks a text while it is read, in bounded memory. */
export interface TextCheck {
  /** UTF-16 is converted to UTF-8 before it is pushed. */
  readonly readsUtf8?: boolean
  /** Whether it is searched for what runs in a browser. */
  readonly markup?: Markup
  /** Whether the text may contain binary data. */
  readonly readsBinary?: boolean
  push?(bytes: Uint8Array): void
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
  /** Files inside of it, to examine next. */
  readonly parts?: readonly TextPart[]
}

/** A file inside of a text, in a range of it. */
export type TextPart = { readonly name: string; readonly as: Containment } & EncodedPart

export type StartTextCheck = (file: { readonly sizeBytes: number }) => TextCheck
