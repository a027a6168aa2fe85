// docs/decisions/0012
import { NO_TRUST, type PublicJwk, type Trust } from '@kitseal/kit'
import { changeTrustStore } from './change-trust-store.ts'
import { InputError } from './input-error.ts'
import { readKeySet } from './read-key-set.ts'
import { writeLines, pluralize, printable, type Terminal } from './terminal.ts'
import { readTrustStore, type StoredPin, trustStorePath } from './trust-store.ts'
import { usableKeys } from './usable-keys.ts'

/** Fetches the keys of an issuer, compares them with the pinned ones, pins them, and trusts them for this issuer only. */
export async function pinIssuer(issuer: string, terminal: Terminal): Promise<Trust> {
  const url = `${issuer}/.well-known/jwks.json`
  const set = await readKeySet(url)
  const revoked = new Set(set.revoked.map(({ kid }) => kid))
  const keys = usableKeys(set, url)
  const store = trustStorePath(terminal.env)
  const pinned = readTrustStore(store).filter((pin) => pin.issuer === issuer)
  rejectVanishedKeys(issuer, pinned, new Set([...revoked, ...keys.map(({ kid }) => kid)]))
  await replacePins(issuer, keys, store)
  writeLines(terminal.stderr, changes(issuer, pinned, keys, revoked).map(printable))
  return { ...NO_TRUST, keySets: [set], issuer }
}

/** An issuer that drops a key without revoking it may have been replaced by someone else. */
function rejectVanishedKeys(
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

/** Replaces the pins of the issuer. Revoked keys are no longer pinned. */
function replacePins(issuer: string, keys: readonly PublicJwk[], store: string): Promise<void> {
  const now = new Date().toISOString()
  return changeTrustStore(store, (pins) => {
    const own = new Map(pins.filter((each) => each.issuer === issuer).map((each) => [each.kid, each]))
    const others = pins.filter((each) => each.issuer !== issuer)
    return [
      ...others,
      ...keys.map((key) => ({ kid: key.kid, issuer, key, addedAt: own.get(key.kid)?.addedAt ?? now })),
    ]
  })
}

function changes(
  issuer: string,
  pinned: readonly StoredPin[],
  keys: readonly PublicJwk[],
  revoked: ReadonlySet<string>,
): readonly string[] {
  if (pinned.length === 0 && keys.length === 0)
    return [`First use of ${issuer}: nothing was pinned, because all its keys are revoked.`]
  if (pinned.length === 0)
    return [
      `First use of ${issuer}: pinned its ${pluralize(keys.length, 'key')}. Check that this is the issuer's real address.`,
    ]
  const known = new Set(pinned.map(({ kid }) => kid))
  return [
    ...keys.filter(({ kid }) => !known.has(kid)).map(({ kid }) => `Pinned a new key of ${issuer}: ${kid}`),
    ...pinned
      .filter(({ kid }) => revoked.has(kid))
      .map(({ kid }) => `${issuer} revoked the key ${kid}, so it is no longer pinned`),
  ]
}
