import { escapeHidden } from '@kitseal/kit/internal'

/** Escapes control and bidirectional characters in untrusted text. */
export const printable = escapeHidden

/** Environment and output of a command. Results go to stdout, everything else to stderr. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
}

/** Standard input that is not a keyboard. */
export type Piped = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }

export interface Output {
  readonly isTTY?: boolean
  /** The terminal width. */
  readonly columns?: number
  write(text: string | Uint8Array): unknown
}

/** 3 is the exit code of the verdict sender_unconfirmed. */
export const EXIT = { ok: 0, fail: 1, usage: 2, refused: 4 } as const

/** JSON with the same characters escaped. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(printable).join('\n')
}

export type Colors = ReturnType<typeof colors>

/** Colours on a terminal, unless NO_COLOR is set. */
export function colors({ env, stdout }: Terminal) {
  const noColor = env['NO_COLOR']
  const enabled = stdout.isTTY === true && (noColor === undefined || noColor === '') && env['TERM'] !== 'dumb'
  const style = (code: number) => (text: string) => (enabled ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { good: style(32), warn: style(33), bad: style(31), faint: style(2), strong: style(1) }
}

/** Texts of services and kits must not control the terminal: only line breaks, tabs and our own styles get through. */
export function writeLines(output: Output, texts: readonly string[]): void {
  output.write(texts.map((text) => `${text.split(OWN_CONTROLS).map(escapeOthers).join('')}\n`).join(''))
}

// eslint-disable-next-line no-control-regex
const OWN_CONTROLS = /(\n|\t|\u001b\[(?:[012]|3[123])m)/
/** `split` returns the parts between, and at odd places what separates them. */
const escapeOthers = (part: string, place: number): string => (place % 2 === 1 ? part : printable(part))

export function showHelp({ stdout }: Terminal, help: string): number {
  writeLines(stdout, [help])
  return EXIT.ok
}

/** Prints usage errors and returns the exit code. */
export function usageError({ stderr }: Terminal, command: string, problems: readonly string[]): number {
  writeLines(stderr, [
    ...problems.map((problem) => `kitseal ${command}: ${printable(problem)}`),
    `Run "kitseal ${command} --help" for usage.`,
  ])
  return EXIT.usage
}

/** `1 kit`, `2 kits`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const MAX_SHOWN = 20

/** A line for each of the first, and how many more there are. */
export function firstLines<T>(all: readonly T[], lineOf: (one: T) => string): readonly string[] {
  const left = all.length - MAX_SHOWN
  const more = left > 0 ? [`  … and ${left} more. Use --json to list all.`] : []
  return [...all.slice(0, MAX_SHOWN).map(lineOf), ...more]
}

/** Quotes a word of a printed command for pasting into a shell. Names in a kit are untrusted; control characters are escaped. */
export function shellQuote(text: string): string {
  if (/^[\w.,:/@%+-]+$/.test(text)) return text
  if (!UNPRINTABLE.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // Quotes are escaped too, so that a shell without $'…' still reads one harmless word.
  const escaped = text.replaceAll(ESCAPED, (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  return `$'${escaped}'`
}

/** Quotes a file name, and prefixes `./` to one that looks like an option. */
export function shellQuotePath(path: string): string {
  return shellQuote(path.startsWith('-') ? `./${path}` : path)
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u
const ESCAPED = /[\p{C}\p{Zl}\p{Zp}'\\]/gu
