import { describeError } from './describe-error.ts'
import { readSmallFile } from './read-small-file.ts'

/**
 * A secret from the variable `name`, or from the file that `name_FILE` names. Empty variables count as not set. Throws if both are set, and
 * if the file is not one line of text. Errors do not quote the secret.
 */
export function readSecret(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = env[name] || undefined
  const path = env[secretFileName(name)] || undefined
  if (path === undefined) return value
  if (value !== undefined) throw new Error(`${name} and ${secretFileName(name)} are both set. Remove one.`)
  try {
    return oneLine(readSmallFile(path, { what: 'a secret', limitMiB: 1 }))
  } catch (error) {
    throw new Error(
      `${secretFileName(name)} is ${JSON.stringify(path)}, which cannot be used: ${describeError(error)}. Expected a file with the secret.`,
      { cause: error },
    )
  }
}

/** The variable that names a file with the secret. */
export const secretFileName = (name: string): string => `${name}_FILE`

function oneLine(bytes: Uint8Array): string {
  const text = decode(bytes).replace(/\r?\n$/, '')
  if (text === '') throw new Error('it is empty')
  if (/[\r\n]/.test(text)) throw new Error('it has more than one line')
  if (text.includes('\0')) throw new Error('it contains NUL')
  return text
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Error('it is not UTF-8 text', { cause: error })
  }
}
