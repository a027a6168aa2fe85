import { readFileSync } from 'node:fs'
import {
  ED25519_COSIGNATURE,
  isQuorumMet,
  LogFormatError,
  type LogPolicy,
  type NoteKey,
  parsePolicy,
  utf8,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'

/** The witnesses that the operator chose. */
export interface WitnessPolicy extends Pick<LogPolicy, 'witnesses' | 'quorum'> {
  /** One for each URL: a witness with two keys gets one request. */
  readonly endpoints: readonly WitnessEndpoint[]
  /** The witness, group and quorum lines of the file, one character per byte. */
  readonly lines: string
}

/** For a log that is only time-stamped. */
export const NO_WITNESSES: WitnessPolicy = {
  witnesses: [],
  quorum: undefined,
  endpoints: [],
  lines: 'quorum none\n',
}

export interface WitnessEndpoint {
  /** Without a slash at the end. */
  readonly url: string
  readonly witnesses: readonly { readonly name: string; readonly key: NoteKey }[]
}

/** Throws if the file cannot be used. */
export function readWitnessPolicy(file: string, isRequired: boolean): WitnessPolicy {
  const fail = (problem: string): never => {
    throw new Error(`the witness policy ${file} cannot be used: ${problem}`)
  }
  const bytes = read(file, fail)
  const { witnesses, quorum } = parse(bytes, fail)
  if (witnesses.length === 0) fail('it names no witness')
  const urls = witnesses.map(({ name, url }) => submissionPrefix(url) ?? fail(urlProblem(name, url)))
  const askable = witnesses.map((witness, at) => ({ ...witness, url: urls[at]! })).filter(isVerifiable)
  if (!isQuorumMet(quorum, new Set(askable.map(({ name }) => name))))
    fail(
      'the quorum cannot be met with Ed25519 cosignatures (type 0x04), the only ones that kitseal verifies',
    )
  if (isRequired && quorum === undefined)
    fail('its quorum is "none", so KITSEAL_PROOF=require would require nothing. Name a quorum.')
  const endpoints = [...Map.groupBy(askable, ({ url }) => url)].map(([url, members]) => ({
    url,
    witnesses: members.map(({ name, key }) => ({ name, key })),
  }))
  return { witnesses, quorum, endpoints, lines: linesOf(bytes) }
}

type Fail = (problem: string) => never

function read(file: string, fail: Fail): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    return fail((error as Error).message)
  }
}

function parse(bytes: Uint8Array, fail: Fail): LogPolicy {
  try {
    return parsePolicy(bytes, nodeHost.digest)
  } catch (error) {
    if (error instanceof LogFormatError) return fail(error.message)
    throw error
  }
}

function submissionPrefix(url = ''): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, username, password, search, hash } = new URL(url)
  const isPlain = username === '' && password === '' && search === '' && hash === ''
  return /^https?:$/.test(protocol) && isPlain ? url.replace(/\/+$/, '') : undefined
}

function urlProblem(name: string, url: string | undefined): string {
  return url === undefined
    ? `the witness ${name} has no URL. Add it at the end of its line.`
    : `the URL of the witness ${name} is not an http or https URL without user, query and fragment`
}

const isVerifiable = ({ key }: { readonly key: NoteKey }): boolean => key.type === ED25519_COSIGNATURE

/** Log lines are left out: the log of the service is the only one. */
function linesOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .filter((line) => /^[ \t]*(witness|group|quorum)[ \t]/.test(line))
    .map((line) => `${line}\n`)
    .join('')
}

/** The policy that the service publishes for information. Throws LogFormatError if a witness has the key of the log. */
export function policyText(vkey: string, url: string, lines = 'quorum none\n'): Uint8Array {
  const text = Buffer.concat([utf8(`log ${vkey} ${url}\n`), Buffer.from(lines, 'latin1')])
  parsePolicy(text, nodeHost.digest)
  return text
}
