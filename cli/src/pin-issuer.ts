import { NO_TRUST, type NoteKey, type PublicJwk, type Trust, vkey } from '@kitseal/kit/internal'
import { pinKeys } from './trust-store.ts'
import { InputError } from './input-error.ts'
import { fetchLog } from './read-policy.ts'
import { readKeySet, usableKeys } from './read-documents.ts'
import { writeLines, pluralize, printable, type Terminal } from './terminal.ts'
import { pinnedLog, readTrustStore, type StoredLog, type StoredPin, trustStorePath } from './trust-store.ts'

/**
 * Fetches the keys and, once, the log of an issuer, compares them with the pinned ones, pins them, and trusts them for this
 * issuer only. Where the log is pinned, a new key counts only if the log lists it. `address` is where the service answers.
 */
export async function pinIssuer(issuer: string, terminal: Terminal, address = issuer): Promise<Trust> {
  const url = `${address}/.well-known/jwks.json`
  const set = await readKeySet(url)
  const revoked = new Set(set.revoked.map(({ kid }) => kid))
  const usable = usableKeys(set, url)
  const path = trustStorePath(terminal.env)
  const store = readTrustStore(path)
  const pinned = store.pins.filter((pin) => pin.issuer === issuer)
  rejectVanishedKeys(issuer, pinned, new Set([...revoked, ...usable.map(({ kid }) => kid)]))
  const before = store.logs.find((log) => log.issuer === issuer)
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
    return { issuer, vkey: vkey(published.key), createdAt: new Date().toISOString() }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    writeLines(stderr, [`The log of ${printable(issuer)} was not pinned: ${error.message}`])
    return undefined
  }
}

/** An issuer that drops a key without revoking it may have been replaced by someone else. */
export function rejectVanishedKeys(
  issuer: string,
  pinned: readonly StoredPin[],
  published: ReadonlySet<string>,
): void {
  const vanished = pinned.filter(({ kid }) => !published.has(kid))
  if (vanished.length === 0) return
  throw new InputError(
    ...vanished.map(
      ({ kid }) => `${issuer} no longer publishes the key ${kid} that you pinned, and has not revoked it`,
    ),
    'Ask the issuer why, at an address that you already know. To accept the change, run "kitseal trust remove KID".',
  )
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
