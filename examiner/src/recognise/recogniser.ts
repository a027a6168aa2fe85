import type { Tally } from './tally.ts'

/** What a recogniser read from a file, as it is there. It is checked and shortened before it is shown. */
export interface Stated {
  readonly tool?: unknown
  readonly version?: unknown
  readonly target?: unknown
  /** Text, or seconds or milliseconds since 1970. */
  readonly time?: unknown
  readonly counts?: Tally
}

/** Reads elements one by one. A path is made of local names: `testsuites/testsuite/testcase`. */
export interface ElementReader {
  open?(path: string, element: Element): void
  /** The text of an element that has no other elements, when it ends. */
  text?(path: string, text: string): void
  close?(path: string): void
  end(): Stated | undefined
}

export interface Element {
  /** The namespace. */
  readonly uri: string
  attribute(name: string): string | undefined
}

/**
 * One format. `mark` is what the first bytes of every such file match, so that other files are not parsed. The reader looks
 * for the certain mark, and returns undefined if anything is not as the format has it.
 */
export type Recogniser = { readonly format: string; readonly mark: RegExp } & (
  | { readonly reads: 'json'; read(values: readonly unknown[]): Stated | undefined }
  | { readonly reads: 'xml'; start(): ElementReader }
  | { readonly reads: 'text'; read(bytes: Uint8Array, text: string): Stated | undefined }
)
