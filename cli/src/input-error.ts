import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describeError } from '@kitseal/kit/internal/node'
import { EXIT, jsonText, writeLines, printable, type Terminal } from './terminal.ts'

/** Input that cannot be used, with one problem per line. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.map(printable).join('\n'))
    this.problems = problems
  }
}

/** Runs `act`. Any error becomes an InputError that begins with `problem`, such as `cannot write FILE`. */
export function orInputError<T>(problem: string, act: () => T): T {
  const fail = (error: unknown): never => {
    if (error instanceof InputError) throw error
    throw new InputError(`${problem}: ${describeError(error)}`)
  }
  try {
    const result = act()
    return result instanceof Promise ? (result.catch(fail) as T) : result
  } catch (error) {
    return fail(error)
  }
}

/** The same for what is read from a path. */
export const readOrFail = async <T>(path: string, read: () => T | Promise<T>): Promise<T> =>
  orInputError(`cannot read ${path}`, async () => read())

/** The bytes of a file. Undefined if there is none. */
export function readIfExists(path: string, what = path): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw new InputError(`cannot read ${what}: ${describeError(error)}`)
  }
}

/** Reports an InputError as text or JSON and returns the exit code. Rethrows any other error. */
export function reportInputError(error: unknown, command: string, terminal: Terminal, json = false): number {
  if (!(error instanceof InputError)) throw error
  const { message } = error
  if (json) writeLines(terminal.stdout, [errorJson({ code: 'input_unreadable', message })])
  else
    writeLines(
      terminal.stderr,
      message.split('\n').map((line) => `kitseal ${command}: ${line}`),
    )
  return EXIT.usage
}

/** The temp folder cannot be used. */
export function tempFolderError(error: unknown, verb = 'write'): InputError {
  return new InputError(
    `cannot ${verb} to ${tmpdir()}: ${describeError(error)}. Set TMPDIR to another folder.`,
  )
}

export interface JsonError {
  readonly code: string
  readonly message: string
  readonly param?: string | undefined
  readonly http_status?: number
  readonly request_id?: string
}

/** What --json prints when there is no result. */
export const errorValue = (error: JsonError) => ({ status: 'ERROR', error })

export const errorJson = (error: JsonError): string => jsonText(errorValue(error))

export { describeError }
