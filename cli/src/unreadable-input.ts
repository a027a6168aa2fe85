export { describeError as reason } from '@kitseal/kit/node'
import { describeError } from '@kitseal/kit/node'
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
    throw new UnreadableInput(`${path} cannot be read: ${describeError(error)}`)
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
