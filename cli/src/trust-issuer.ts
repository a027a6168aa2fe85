import { type NoteKey, type PublicJwk, vkey, type LogPolicy, type Quorum } from '@kitseal/kit/internal'
import { pinKeys } from './trust-store.ts'
import type { Shown } from './command-line.ts'
import { parseDuration } from './arguments.ts'
import { errorValue, InputError } from './input-error.ts'
import { rejectOtherLog, rejectVanishedKeys } from './pin-issuer.ts'
import { confirm, type Keyboard } from './prompt-secret.ts'
import { fetchLog, logOf, type PublishedLog, readPolicyText, readTsaRootsText } from './read-policy.ts'
import { readKeySet, usableKeys } from './read-documents.ts'
import { EXIT, pluralize, printable, type Terminal, writeLines } from './terminal.ts'
import { readTrustStore } from './trust-store.ts'

export interface TrustIssuerOptions {
  /** A policy that the user got on another channel. */
  readonly policyPath?: string | undefined
  /** The certificates of time-stamp authorities. */
  readonly rootsPath?: string | undefined
  /** A duration. */
  readonly maxDelay?: string | undefined
  /** Pins without asking. */
  readonly yes: boolean
}

/** Fetches the keys and the log of an issuer, shows them, and pins them if the user agrees. */
export async function trustIssuer(
  issuer: string,
  { policyPath, rootsPath, maxDelay, yes }: TrustIssuerOptions,
  path: string,
  terminal: Terminal & { readonly stdin?: Keyboard },
): Promise<Shown> {
  const given = policyPath === undefined ? undefined : await readPolicyText(policyPath)
  const tsaRoots = rootsPath === undefined ? undefined : await readTsaRootsText(rootsPath)
  const maxDelaySeconds = maxDelay === undefined ? undefined : parseDuration(maxDelay)
  const url = `${issuer}/.well-known/jwks.json`
  const set = await readKeySet(url)
  const keys = usableKeys(set, url)
  if (keys.length === 0) throw new InputError(`${url}: all keys are revoked`)
  const published = await fetchLog(issuer)
  const store = readTrustStore(path)
  const pins = store.pins.filter((each) => each.issuer === issuer)
  const log = store.logs.find((each) => each.issuer === issuer)
  rejectVanishedKeys(issuer, pins, new Set([...set.revoked, ...keys].map(({ kid }) => kid)))
  const key =
    given === undefined ? published?.key : policyLog(issuer, logOf(issuer, given.policy), published?.key)
  if (key !== undefined) rejectOtherLog(issuer, log, key)
  else if (rootsPath !== undefined || maxDelay !== undefined)
    throw new InputError(`${issuer} publishes no log, so its kits have no time-stamps`)
  const lines = [
    `${printable(issuer)} publishes:`,
    ...keys.map((each) => `  key       ${each.kid}${lifeOf(each)}`),
    ...logLines(published),
    ...(given === undefined
      ? []
      : [`${printable(policyPath ?? '')} asks for:`, ...policyLines(given.policy)]),
    pins.length === 0 && log === undefined
      ? 'This is trust on first use: only HTTPS says that these keys belong to the issuer. Compare them with a copy that you got another way.'
      : `You pinned ${pluralize(pins.length, 'key')}${log === undefined ? '' : ' and the log'} of this issuer before.`,
  ]
  writeLines(terminal.stderr, lines)
  if (!yes) {
    const answer = await confirm(terminal, 'Pin this? [y/N] ')
    if (answer === undefined)
      throw new InputError(
        'nothing was pinned. Run it on a terminal, or pass --yes to pin without a question.',
      )
    if (!answer) {
      const message = 'Nothing was pinned.'
      return { json: errorValue({ code: 'nothing_changed', message }), err: [message], exitCode: EXIT.fail }
    }
  }
  const terms = { policy: given?.text, tsaRoots, maxDelaySeconds }
  await pinKeys(path, issuer, keys, key === undefined ? undefined : { vkey: vkey(key), ...terms })
  const messages = [
    ...keys.map(({ kid }) => `pinned ${kid} for ${printable(issuer)}`),
    ...(key === undefined ? [] : [`pinned the log ${printable(vkey(key))} for ${printable(issuer)}`]),
    ...(given === undefined
      ? []
      : [`pinned the policy ${printable(policyPath ?? '')} for ${printable(issuer)}`]),
    ...(rootsPath === undefined
      ? []
      : [`pinned the time-stamp authorities in ${printable(rootsPath)} for ${printable(issuer)}`]),
  ]
  return { json: { status: 'OK', messages }, out: messages }
}

function policyLog(issuer: string, named: NoteKey | undefined, published: NoteKey | undefined): NoteKey {
  if (named === undefined) throw new InputError(`the policy names no log of ${issuer}`)
  if (published !== undefined && vkey(published) !== vkey(named))
    throw new InputError(
      `${issuer} publishes the log key ${vkey(published)}, and the policy names ${vkey(named)}. Ask the issuer why, at an address that you already know.`,
    )
  return named
}

function lifeOf({ exp }: PublicJwk): string {
  return exp === undefined ? '' : ` (retired ${new Date(exp * 1000).toISOString().slice(0, 10)})`
}

function logLines(published: PublishedLog | undefined): readonly string[] {
  if (published === undefined) return ['  log       none']
  const { key, policy } = published
  const count = policy.witnesses.length
  return [
    `  log       ${printable(key.name)}`,
    `  log key   ${printable(vkey(key))}`,
    ...policy.witnesses.map((witness) => `  witness   ${printable(vkey(witness.key))} (not pinned)`),
    ...(count === 0
      ? []
      : [
          'Witnesses that an issuer names are not pinned. To require witnesses, choose them yourself and pass --policy.',
        ]),
  ]
}

/** The witnesses and the quorum of a policy, one line each. */
function policyLines({ witnesses, quorum }: LogPolicy): readonly string[] {
  return [
    ...witnesses.map(({ name, key }) => `  witness   ${printable(name)}: ${printable(vkey(key))}`),
    `  quorum    ${printable(quorumText(quorum))}`,
  ]
}

/** `2 of (a, b, c)`. */
function quorumText(quorum: Quorum | undefined): string {
  if (quorum === undefined) return 'none'
  if (typeof quorum === 'string') return quorum
  return `${quorum.threshold} of (${quorum.members.map(quorumText).join(', ')})`
}
