import { EXIT, jsonText, lines, plain, type Terminal } from './terminal.ts'

/** One problem a line; what is quoted in one breaks no line. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput'
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.map(plain).join('\n'))
    this.problems = problems
  }
}

/** What is read at `path`; whatever stands in the way is said of it. */
export async function reading<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new UnreadableInput(`${path} cannot be read: ${reason(error)}`)
  }
}

/** Says what cannot be read, to a person or, in JSON, to a program; returns the exit code. Anything else thrown is a bug. */
export function sayUnreadable(error: unknown, command: string, terminal: Terminal, json = false): number {
  if (!(error instanceof UnreadableInput)) throw error
  const { message } = error
  if (json) lines(terminal.stdout, [errorJson({ code: 'input_unreadable', message })])
  else
    lines(
      terminal.stderr,
      message.split('\n').map((line) => `kitseal ${command}: ${line}`),
    )
  return EXIT.usage
}

export interface ErrorForPrograms {
  readonly code: string
  readonly message: string
  readonly http_status?: number
  readonly request_id?: string
}

/** What --json prints where there is no result. */
export function errorJson(error: ErrorForPrograms): string {
  return jsonText({ status: 'ERROR', error })
}

/** The system's words for a file, without the path that the caller has named already. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = REASONS.get((error as { code?: string }).code ?? '')
  if (known !== undefined) return known
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'a file of that name is there already'],
  ['ENOTDIR', 'a part of its path is a file, not a folder'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOSPC', 'there is no space left on the disk'],
  ['EFBIG', 'it would be larger than a file may be'],
  ['EROFS', 'the disk is read-only'],
])
