import {
  fromUtf8,
  LogFormatError,
  type LogPolicy,
  parsedOr,
  parsePolicy,
  parseCertificates,
  TimeStampFormatError,
  type NoteKey,
} from '@kitseal/kit/internal'
import { nodeHost, readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'
import { fetchDocument } from './fetch-document.ts'

/** Reads the logs and witnesses that the user trusts from a file, with its text, to keep it. */
export async function readPolicy(path: string) {
  const given = await readOrFail(path, () => readSmallFile(path, { what: 'a policy', limitMiB: 1 }))
  const policy = parsePolicyOf(path, given)
  const text = fromUtf8(given)
  if (text === undefined) throw new InputError(`${path} is not UTF-8`)
  return { policy, text }
}

/** Throws InputError, which names the file or URL. */
export function parsePolicyOf(path: string, bytes: Uint8Array): LogPolicy {
  const parsed = parsedOr(LogFormatError, () => parsePolicy(bytes, nodeHost.digest))
  if (parsed.ok) return parsed.value
  throw new InputError(`${path} is not a policy: ${parsed.problems.join('; ')}`)
}

/** Reads the certificates of the time-stamp authorities that the user trusts from a file. Only PEM has a text, to keep it. */
export async function readTsaRoots(path: string) {
  const bytes = await readOrFail(path, () =>
    readSmallFile(path, { what: 'a file of certificates', limitMiB: 10 }),
  )
  const parsed = parsedOr(TimeStampFormatError, () => parseCertificates(bytes))
  if (parsed.ok) return { roots: parsed.value, text: bytes[0] === 0x30 ? undefined : fromUtf8(bytes) }
  throw new InputError(`${path} is not a file of certificates: ${parsed.problems.join('; ')}`)
}

/** The log that an issuer publishes, with the witnesses that it names. */
export interface PublishedLog {
  readonly key: NoteKey
  readonly policy: LogPolicy
}

/** Undefined if the issuer publishes no log. */
export async function fetchLog(issuer: string): Promise<PublishedLog | undefined> {
  const url = `${issuer}/log/policy`
  const bytes = await fetchDocument(url, { what: 'a policy', limitMiB: 1 })
  if (bytes === undefined) return undefined
  const policy = parsePolicyOf(url, bytes)
  const key = logOf(issuer, policy)
  if (key === undefined) throw new InputError(`${url} names no log of ${issuer}`)
  return { key, policy }
}

/** The log of an issuer in a policy: the only one, or the one that is named after the issuer. */
export function logOf(issuer: string, { logs }: LogPolicy): NoteKey | undefined {
  const origin = `${issuer.replace(/^https?:\/\//, '')}/log`
  const [only, ...others] = logs
  if (others.length === 0) return only?.key
  return logs.find(({ key, url }) => url?.replace(/\/+$/, '') === `${issuer}/log` || key.name === origin)?.key
}
