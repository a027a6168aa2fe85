import {
  type LogPolicy,
  NO_TRUST,
  type NoteKey,
  type PublicJwk,
  type Quorum,
  type Trust,
  vkey,
} from '@kitseal/kit/internal'
import { parseDuration } from './arguments.ts'
import type { Shown } from './command-line.ts'
import { errorValue, InputError } from './input-error.ts'
import { confirm, type Keyboard } from './prompt-secret.ts'
import { readKeySet, usableKeys } from './read-documents.ts'
import { fetchLog, logOf, type PublishedLog, readPolicy, readTsaRoots } from './read-policy.ts'
import { EXIT, pluralize, printable, type Terminal, writeLines } from './terminal.ts'
import {
  pinKeys,
  pinnedLog,
  readTrustStore,
  type StoredLog,
  type StoredPin,
  trustStorePath,
} from './trust-store.ts'

/**
 * Fetches the keys and, once, the log of an issuer, compares them with the pinned ones, pins them, and trusts them for this
 * issuer only. Where the log is pinned, a new key counts only if the log lists it. `address` is where the service answers.
 */
export async function pinIssuer(issuer: string, terminal: Terminal, address = issuer): Promise<Trust> {
  const path = trustStorePath(terminal.env)
  const { set, usable, pinned, log: before } = await readIssuer(issuer, path, address)
  const revoked = new Set(set.revoked.map(({ kid }) => kid))
  const isNew = ({ kid }: PublicJwk): boolean => pinned.length > 0 && !pinned.some((pin) => pin.kid === kid)
  const fresh = usable.filter(isNew)
  const followed =
    before === undefined || fresh.length === 0
      ? fresh
      : await (await import('./log/keys-in-log.ts')).keysInLog(pinnedLog(before), address, fresh, terminal)
  const known = usable.filter((key) => !isNew(key))
  const keys = [...known, ...followed]
  const found = before === undefined && keys.length > 0 ? await firstLog(issuer, terminal) : undefined
  const log = before ?? found
  await pinKeys(path, issuer, keys, found, true)
  writeLines(
    terminal.stderr,
    changes(issuer, pinned, before === undefined ? keys : known, revoked, found).map(printable),
  )
  const keySets = [{ ...set, keys, pinned }]
  return { ...NO_TRUST, keySets, issuer, logs: log === undefined ? [] : [pinnedLog(log)] }
}

/** The log that the issuer publishes. One that cannot be read is not pinned. */
async function firstLog(issuer: string, { stderr }: Terminal): Promise<StoredLog | undefined> {
  try {
    const published = await fetchLog(issuer)
    if (published === undefined) return undefined
    return { issuer, vkey: vkey(published.key), created_at: new Date().toISOString() }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    writeLines(stderr, [`The log of ${printable(issuer)} was not pinned: ${error.message}`])
    return undefined
  }
}

/** The keys that an issuer publishes, and what is pinned for it. */
async function readIssuer(issuer: string, path: string, address = issuer) {
  const url = `${address}/.well-known/jwks.json`
  const set = await readKeySet(url)
  const usable = usableKeys(set, url)
  const { pins, logs } = readTrustStore(path)
  const pinned = pins.filter((pin) => pin.issuer === issuer)
  const published = new Set([...set.revoked, ...usable].map(({ kid }) => kid))
  // An issuer that drops a key without revoking it may have been replaced by someone else.
  const vanished = pinned.filter(({ kid }) => !published.has(kid))
  if (vanished.length > 0)
    throw new InputError(
      ...vanished.map(
        ({ kid }) => `${issuer} no longer publishes the key ${kid} that you pinned, and has not revoked it`,
      ),
      'Ask the issuer why, at an address that you already know. To accept the change, run "kitseal trust remove KID".',
    )
  return { url, set, usable, pinned, log: logs.find((each) => each.issuer === issuer) }
}

/** The key of a log never changes. */
export function rejectOtherLog(issuer: string, pinned: StoredLog | undefined, key: NoteKey): void {
  if (pinned === undefined || pinned.vkey === vkey(key)) return
  throw new InputError(
    `the log of ${issuer} has the key ${vkey(key)}, and you pinned ${pinned.vkey}. The key of a log never changes.`,
    `Ask the issuer why, at an address that you already know. To start again, run "kitseal trust remove ${issuer}".`,
  )
}

function changes(
  issuer: string,
  pinned: readonly StoredPin[],
  keys: readonly PublicJwk[],
  revoked: ReadonlySet<string>,
  log: StoredLog | undefined,
): readonly string[] {
  if (pinned.length === 0 && keys.length === 0)
    return [`First use of ${issuer}: nothing was pinned, because all its keys are revoked.`]
  const newLog = log === undefined ? [] : [`Pinned the log of ${issuer}: ${log.vkey}`]
  if (pinned.length === 0)
    return [
      `First use of ${issuer}: pinned its ${pluralize(keys.length, 'key')}. Check that this is the issuer's real address.`,
      ...newLog,
    ]
  const known = new Set(pinned.map(({ kid }) => kid))
  return [
    ...keys.filter(({ kid }) => !known.has(kid)).map(({ kid }) => `Pinned a new key of ${issuer}: ${kid}`),
    ...pinned
      .filter(({ kid }) => revoked.has(kid))
      .map(({ kid }) => `${issuer} revoked the key ${kid}, so it is no longer pinned`),
    ...newLog,
  ]
}

interface Terms {
  readonly policyPath?: string | undefined
  readonly rootsPath?: string | undefined
  readonly maxDelay?: string | undefined
  /** Pins without asking. */
  readonly yes: boolean
}

/** Fetches the keys and the log of an issuer, shows them, and pins them if the user agrees. */
export async function trustIssuer(
  issuer: string,
  { policyPath, rootsPath, maxDelay, yes }: Terms,
  path: string,
  terminal: Terminal & { readonly stdin?: Keyboard },
): Promise<Shown> {
  const given = policyPath === undefined ? undefined : await readPolicy(policyPath)
  const roots = rootsPath === undefined ? undefined : (await readTsaRoots(rootsPath)).text
  if (rootsPath !== undefined && roots === undefined) throw new InputError(`${rootsPath} is not PEM`)
  const delay = maxDelay === undefined ? undefined : parseDuration(maxDelay)
  const { url, usable: keys, pinned: pins, log } = await readIssuer(issuer, path)
  if (keys.length === 0) throw new InputError(`${url}: all keys are revoked`)
  const published = await fetchLog(issuer)
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
  const terms = { policy: given?.text, tsa_roots: roots, max_delay_seconds: delay }
  await pinKeys(path, issuer, keys, key === undefined ? undefined : { vkey: vkey(key), ...terms })
  return pinnedText(issuer, [
    ...keys.map(({ kid }) => kid),
    key && `the log ${vkey(key)}`,
    given && `the policy ${policyPath}`,
    rootsPath && `the time-stamp authorities in ${rootsPath}`,
  ])
}

/** Says what was pinned for an issuer. */
export function pinnedText(issuer: string, what: readonly (string | undefined)[]): Shown {
  const messages = what
    .filter((each) => each !== undefined)
    .map((each) => printable(`pinned ${each} for ${issuer}`))
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
