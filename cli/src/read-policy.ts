import { LogFormatError, type LogPolicy, parsePolicy } from '@kitseal/kit'
import { nodeHost, readSmallFile } from '@kitseal/kit/node'
import { InputError, readOrFail } from './input-error.ts'

/** Reads the logs and witnesses that the user trusts from a file. */
export async function readPolicy(path: string): Promise<LogPolicy> {
  const bytes = await readOrFail(path, () => readSmallFile(path, { what: 'a policy', limitMiB: 1 }))
  try {
    return parsePolicy(bytes, nodeHost.digest)
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw new InputError(`${path} is not a policy: ${error.message}`)
  }
}
