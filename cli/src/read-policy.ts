import { fromUtf8, LogFormatError, type LogPolicy, parsePolicy, utf8 } from '@kitseal/kit/internal'
import { nodeHost, readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'
import { isLogList, parseLogList } from './log-list.ts'

/** Reads the logs and witnesses that the user trusts from a file. */
export async function readPolicy(path: string): Promise<LogPolicy> {
  return (await readPolicyText(path)).policy
}

/** The same, with the text, to keep it. */
export async function readPolicyText(
  path: string,
): Promise<{ readonly policy: LogPolicy; readonly text: string }> {
  const given = await readOrFail(path, () => readSmallFile(path, { what: 'a policy', limitMiB: 1 }))
  const text = policyOf(path, given) ?? fromUtf8(given)
  const policy = parsePolicyOf(path, text === undefined ? given : utf8(text))
  if (text === undefined) throw new InputError(`${path} is not UTF-8`)
  return { policy, text }
}

/** The policy that a list of logs stands for: any of them, without witnesses. Undefined if it is no list. */
function policyOf(path: string, bytes: Uint8Array): string | undefined {
  const text = fromUtf8(bytes) ?? ''
  if (!isLogList(text)) return undefined
  try {
    // A policy knows a log by the name of its key.
    const logs = parseLogList(text).filter(
      ({ vkey, origin }) => origin === undefined || vkey.startsWith(`${origin}+`),
    )
    return `${logs.map(({ vkey }) => `log ${vkey}\n`).join('')}quorum none\n`
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw new InputError(`${path} is not a list of logs: ${error.message}`)
  }
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
