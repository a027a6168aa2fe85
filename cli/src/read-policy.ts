import { fromUtf8, LogFormatError, type LogPolicy, parsePolicy } from '@kitseal/kit/internal'
import { nodeHost, readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'

/** Reads the logs and witnesses that the user trusts from a file. */
export async function readPolicy(path: string): Promise<LogPolicy> {
  return (await readPolicyText(path)).policy
}

/** The same, with the text, to keep it. */
export async function readPolicyText(
  path: string,
): Promise<{ readonly policy: LogPolicy; readonly text: string }> {
  const given = await readOrFail(path, () => readSmallFile(path, { what: 'a policy', limitMiB: 1 }))
  const text = fromUtf8(given)
  const policy = parsePolicyOf(path, given)
  if (text === undefined) throw new InputError(`${path} is not UTF-8`)
  return { policy, text }
}

/** Throws InputError, which names the file or URL. */
export function parsePolicyOf(path: string, bytes: Uint8Array): LogPolicy {
  try {
    return parsePolicy(bytes, nodeHost.digest)
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw new InputError(`${path} is not a policy: ${error.message}`)
  }
}
