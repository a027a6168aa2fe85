import { reason, type Why } from './texts/english.ts'
import { sameBytes } from './encoding/bytes.ts'
import type { JsonObject, JsonValue } from './encoding/strict-json.ts'
import {
  findKey,
  type Jwks,
  type KeySet,
  parseJwks,
  type PublicJwk,
  publicJwk,
  type RevokedKey,
} from './jwks.ts'
import type { LogPolicy } from './log/tlog-policy.ts'
import type { Parsed } from './parsing.ts'
import type { Receipt } from './receipt.ts'
import type { SignerReport } from './report.ts'
import { hostOf, sameOrigin } from './same-origin.ts'
import type { TimePolicy } from './time/verify-time.ts'
import { failure, type Finding, finding, type KeySource, type Sender } from './verdicts.ts'

/** The keys that the user trusts. None of them comes from the kit. */
export interface Trust {
  readonly keySets: readonly TrustedKeySet[]
  /** Key IDs pinned for this verification only. */
  readonly kids: readonly string[]
  /** Keys pinned earlier, each for one issuer. Used only without key sets and key IDs. */
  readonly pins: readonly Pin[]
  /** Integrity only: uses the key in the kit, which does not prove who made it. Never a PASS. */
  readonly useKitKeys: boolean
  /** The issuer that the receipt must name. */
  readonly issuer?: string | undefined
  /** The logs and witnesses that the receipt must be recorded with. */
  readonly logPolicy?: LogPolicy | undefined
  /** What is asked of the time of the receipt. */
  readonly timePolicy?: TimePolicy | undefined
  /** Logs pinned earlier, each for one issuer. Used only without `logPolicy`, and not for file proofs. */
  readonly logs?: readonly PinnedLog[] | undefined
}

/** The log of an issuer, and the witnesses that must have seen it. */
export interface PinnedLog {
  readonly issuer: string
  readonly policy: LogPolicy
  /**
   * The policy comes from the issuer, as on its own page: the words say so, and a kit without a log proof passes, because it
   * may be older than the log.
   */
  readonly isIssuers?: boolean
  /** What is asked of the time of the receipt. Not for a policy of the issuer. */
  readonly time?: TimePolicy | undefined
}

/** A key set, and where it came from. */
export type TrustedKeySet = KeySet & {
  /**
   * `file` says nothing about the origin: if it is identical to the copy in the kit, it counts as the kit's. `url` was fetched
   * from an address that the reader gave for keys, and `own` are the keys of the service that verifies. What the page's own site
   * publishes (`site`), or the service that was asked for a kit (`service`), counts only for issuers at `address`.
   */
  readonly source: 'url' | 'file' | 'confirmed' | 'own' | 'site' | 'service'
  /** Where the keys were fetched. */
  readonly address?: string | undefined
  /** What the reader pinned before, to say whether a fetched key was compared. */
  readonly pinned?: readonly Pin[] | undefined
  /** The file's content, to compare with the copy in the kit. */
  readonly bytes?: Uint8Array | undefined
  /** The issuer that the keys belong to; undefined if they may verify any receipt. */
  readonly issuer?: string | undefined
  /** Whether a key of this set may also verify a receipt that names another issuer. */
  readonly verifiesOtherIssuers?: boolean
}

export interface Pin {
  readonly kid: string
  readonly issuer: string
  /** The key, if it was pinned from a key set. Otherwise it is taken from the kit by its key ID. */
  readonly key?: PublicJwk | undefined
  /** When it was pinned. */
  readonly createdAt?: string | undefined
  /** It was pinned when the address was first used, without asking the reader. */
  readonly isFirstUse?: boolean | undefined
}

export const NO_TRUST: Trust = { keySets: [], kids: [], pins: [], useKitKeys: false }

/**
 * Trusts the keys of one issuer. Without a `source`, the caller confirms that the keys are the issuer's.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { trustKeys } from '@kitseal/kit'
 * import { readKeySet, verifyKitFile } from '@kitseal/kit/node'
 *
 * const trust = trustKeys(readKeySet('issuer.jwks.json'))
 * assert.equal((await verifyKitFile('kit.zip', trust)).signer.trust, 'jwks')
 * ```
 */
export function trustKeys(jwks: Jwks | KeySet | TrustedKeySet): Trust {
  return { ...NO_TRUST, keySets: [{ refused: [], revoked: [], source: 'confirmed', ...jwks }] }
}

export interface ChosenKey {
  /** Undefined if no trusted key matches the receipt. */
  readonly key: PublicJwk | undefined
  /** The kit's copy of the key, if there is no trusted one: tells a changed receipt from an unknown signer. */
  readonly untrustedKey?: PublicJwk | undefined
  readonly trust: SignerReport['trust']
  readonly from?: KeySource | undefined
  readonly sender: Sender
  /** Why no key matches. */
  readonly keyFindings: readonly Finding[]
  /** Why the signer is not trusted. */
  readonly trustFindings: readonly Finding[]
  readonly revoked?: RevokedKey | undefined
  /** The reader does not know the key. It is not one that belongs to someone else. */
  readonly mayBeNew?: boolean
}

/** The key set in a kit or a proof, with its bytes. */
export interface KitKeys {
  readonly set: KeySet
  readonly bytes: Uint8Array
}

/** The policy for the proofs of a kit: given for this verification, or pinned for the issuer. */
export function policyFor(
  { logPolicy, timePolicy = {}, logs = [] }: Trust,
  receipt: Parsed<Receipt>,
  hasProof: boolean,
): {
  readonly policy: LogPolicy | undefined
  readonly isIssuers: boolean
  /** The reader pinned the log for the issuer that the receipt names. */
  readonly isPinned: boolean
  readonly time: TimePolicy
} {
  const { roots, maxDelaySeconds } = timePolicy
  if (logPolicy !== undefined || !receipt.ok)
    return { policy: logPolicy, isIssuers: false, isPinned: false, time: timePolicy }
  const pinned = logs.find(({ issuer }) => issuer === receipt.value.issuer)
  const isIssuers = pinned?.isIssuers === true
  return {
    policy: hasProof || !isIssuers ? pinned?.policy : undefined,
    isIssuers,
    isPinned: pinned !== undefined && !isIssuers,
    time: {
      roots: roots ?? pinned?.time?.roots,
      maxDelaySeconds: maxDelaySeconds ?? pinned?.time?.maxDelaySeconds,
    },
  }
}

/**
 * Finds the key named in the receipt among the trusted keys. `existedAt` is a trusted time by which the receipt
 * existed, in milliseconds since 1970.
 */
export function chooseKey(
  receipt: Receipt,
  kitKeys: KitKeys | undefined,
  trust: Trust,
  existedAt?: number,
): ChosenKey {
  const older = beforeCompromise(receipt.public_key_kid, kitKeys?.set, trust.keySets, existedAt)
  const chosen =
    older === undefined
      ? fromTrust(receipt, kitKeys, trust)
      : { ...fromTrust(receipt, kitKeys, { ...trust, keySets: older.keySets }), revoked: older.revoked }
  if (chosen.key !== undefined || kitKeys === undefined) return chosen
  return { ...chosen, untrustedKey: findKey(kitKeys.set, receipt.public_key_kid) }
}

/** A key that the reader does not know, after the log that the reader pinned for the issuer confirmed the receipt. */
export function vouchedByLog(chosen: ChosenKey, { issuer, public_key_kid: kid }: Receipt): ChosenKey {
  if (chosen.mayBeNew !== true || chosen.untrustedKey === undefined) return chosen
  const text = `key ${kid} is new to you. The log of ${issuer}, which you know, contains this receipt. To check that the log lists the key: kitseal verify KIT --issuer ISSUER`
  return { ...notTrusted('unconfirmed', text), untrustedKey: chosen.untrustedKey }
}

function fromTrust(receipt: Receipt, kitKeys: KitKeys | undefined, trust: Trust): ChosenKey {
  const { public_key_kid: kid, issuer } = receipt
  if (trust.useKitKeys)
    return { ...fromSets(kid, kitKeys === undefined ? [] : [kitKeys.set], 'kit'), sender: 'unconfirmed' }
  const revoked = trust.keySets.flatMap((set) => set.revoked).find((key) => key.kid === kid)
  if (revoked !== undefined) return { ...NO_KEY, sender: 'revoked', revoked }
  if (trust.issuer !== undefined && trust.issuer !== issuer)
    return notTrusted('unknown', `the receipt names the issuer ${issuer}, not ${trust.issuer}`)
  if (trust.keySets.length === 0 && trust.kids.length === 0) return fromPins(receipt, kitKeys, trust.pins)
  if (trust.kids.length > 0 && !trust.kids.includes(kid)) {
    return noKey(
      finding(
        'key_id_mismatch',
        `the receipt names key ${kid}, but the pinned key is ${trust.kids.join(' or ')}`,
      ),
      true,
    )
  }
  if (trust.keySets.length === 0) return fromKitByKid(kid, kitKeys, GIVEN)
  if (trust.kids.length > 0) return fromSets(kid, trust.keySets, 'pinned')
  const outside = trust.keySets.filter((set) => !isKitCopy(set, kitKeys))
  if (outside.length === 0) {
    const text = "this key set is the kit's own copy. Get the key set from the issuer instead"
    return { ...notTrusted('unconfirmed', text), trust: 'kit' }
  }
  const sets = outside.filter((set) => isAtIssuer(set, issuer))
  if (sets.length === 0) {
    const text = reason('reason.otherSite', { site: outside[0]?.address ?? '', issuer })
    return notTrusted('unconfirmed', text)
  }
  const others = sets.filter((set) => set.issuer !== undefined && set.issuer !== issuer)
  if (others.length < sets.length)
    return fromSets(
      kid,
      sets.filter((set) => !others.includes(set)),
      'jwks',
    )
  const chosen = fromSets(kid, others, 'jwks')
  if (chosen.key === undefined) return { ...chosen, sender: 'unconfirmed' }
  if (others.every((set) => set.verifiesOtherIssuers === true)) return chosen
  return notTrusted(
    'unknown',
    `key ${kid} belongs to ${others[0]?.issuer}, but the receipt names the issuer ${issuer}`,
  )
}

function isKitCopy({ source, bytes }: TrustedKeySet, kitKeys: KitKeys | undefined): boolean {
  return source === 'file' && bytes !== undefined && kitKeys !== undefined && sameBytes(bytes, kitKeys.bytes)
}

/** Keys that nobody gave count only where the issuer itself publishes them. */
function isAtIssuer({ source, address = '' }: TrustedKeySet, issuer: string): boolean {
  return (source !== 'site' && source !== 'service') || sameOrigin(address, issuer)
}

function fromSets(
  kid: string,
  sets: readonly (KeySet | TrustedKeySet)[],
  trust: ChosenKey['trust'],
): ChosenKey {
  const refused = sets.flatMap((set) => set.refused)
  const named = refused.find((key) => key.kid === kid)
  if (named !== undefined) return noKey(finding('key_id_mismatch', `key ${kid} ${named.why.text}`))
  const found = sets.map((set) => findKey(set, kid)).filter((key) => key !== undefined)
  const key = found.reduce<PublicJwk | undefined>(shorterPeriod, undefined)
  if (key !== undefined) {
    const first = sets.find((set) => findKey(set, kid) !== undefined)
    return trustedKey(key, trust, trust === 'jwks' && first !== undefined ? sourceOf(kid, first) : GIVEN)
  }
  const [first] = refused
  return noKey(
    first === undefined
      ? failure('key_not_in_jwks', 'reason.notInKeySet', { kid })
      : failure('key_not_in_jwks', 'reason.notInKeySetBut', { kid, why: first.why }),
    true,
  )
}

/** A key ID is a hash of the key, so a key in the kit with the pinned ID is the pinned key. */
function fromKitByKid(kid: string, kitKeys: KitKeys | undefined, from: KeySource): ChosenKey {
  const key = kitKeys === undefined ? undefined : findKey(kitKeys.set, kid)
  if (key !== undefined) return trustedKey(key, 'pinned', from)
  const text = `the kit does not contain the public key ${kid}: provide the issuer's key set`
  return { ...noKey(finding('key_not_in_jwks', text)), sender: 'unconfirmed' }
}

function fromPins(receipt: Receipt, kitKeys: KitKeys | undefined, pins: readonly Pin[]): ChosenKey {
  const { public_key_kid: kid, issuer } = receipt
  const pinned = pins.filter((pin) => pin.kid === kid)
  const pin = pinned.find((candidate) => candidate.issuer === issuer)
  const from = { source: 'pinned', ...pinnedOn(pin) } as const
  if (pin?.key !== undefined) return trustedKey(pin.key, 'pinned', from)
  if (pin !== undefined) return fromKitByKid(kid, kitKeys, from)
  const [other] = pinned
  if (other !== undefined) {
    const text = `key ${kid} is pinned for ${other.issuer}, but the receipt names the issuer ${issuer}`
    return notTrusted('unknown', text)
  }
  if (pins.some((candidate) => candidate.issuer === issuer))
    return {
      ...notTrusted('unknown', `key ${kid} is not one of the keys pinned for ${issuer}`),
      mayBeNew: true,
    }
  return notTrusted('unconfirmed', reason('reason.notProvided', { issuer }))
}

const NO_KEY = { key: undefined, trust: 'none', keyFindings: [], trustFindings: [] } as const

const GIVEN: KeySource = { source: 'given' }

function sourceOf(kid: string, set: KeySet | TrustedKeySet): KeySource {
  if (!('source' in set) || set.source === 'file' || set.source === 'confirmed') return GIVEN
  const host = hostOf(set.address ?? '')
  if (set.source === 'site' || set.source === 'own') return { source: 'site', host }
  const pin = set.pinned?.find((each) => each.kid === kid)
  return { source: 'address', host, ...pinnedOn(pin), ...(pin && { confirmed: pin.isFirstUse !== true }) }
}

function pinnedOn(pin: Pin | undefined): Pick<KeySource, 'pinned_on'> {
  return pin?.createdAt === undefined ? {} : { pinned_on: pin.createdAt.slice(0, 10) }
}

function trustedKey(key: PublicJwk, trust: ChosenKey['trust'], from: KeySource): ChosenKey {
  return { ...NO_KEY, key, trust, from: trust === 'kit' ? undefined : from, sender: 'trusted' }
}

function noKey(found: Finding, mayBeNew = false): ChosenKey {
  return { ...NO_KEY, sender: 'unknown', keyFindings: [found], mayBeNew }
}

function notTrusted(sender: Sender, text: Why): ChosenKey {
  return { ...NO_KEY, sender, trustFindings: [finding('signer_not_trusted', text)] }
}

/** If several sets contain the key, the shortest active period counts: an older set may not know that it was retired. */
function shorterPeriod(a: PublicJwk | undefined, b: PublicJwk): PublicJwk {
  if (a === undefined) return b
  const { iat: _iat, exp: _exp, ...key } = a
  const iat = Math.max(a.iat ?? 0, b.iat ?? 0)
  const exp = Math.min(a.exp ?? Infinity, b.exp ?? Infinity)
  return { ...key, ...(iat > 0 ? { iat } : {}), ...(exp < Infinity ? { exp } : {}) }
}

/** The signer as the result states it. */
export function signerOf(receipt: Parsed<Receipt>, chosen: ChosenKey | undefined): SignerReport {
  const kid = receipt.ok ? receipt.value.public_key_kid : null
  const revokedAt = chosen?.revoked?.revoked_at
  return {
    kid,
    trust: chosen?.trust ?? 'none',
    ...(chosen?.from === undefined ? {} : { key_from: chosen.from }),
    ...(revokedAt === undefined ? {} : { revoked_at: revokedAt }),
  }
}

/**
 * For a receipt that is older than the compromise of its key, the key sets as they were before it; undefined for any
 * other. The key is no longer in them: it comes from the kit, by its key ID, which is a hash of the key. Its active
 * period is not taken from there.
 */
function beforeCompromise<Set extends KeySet>(
  kid: string,
  kitKeys: KeySet | undefined,
  keySets: readonly Set[],
  existedAt: number | undefined,
): { readonly keySets: readonly Set[]; readonly revoked: RevokedKey } | undefined {
  const entries = keySets.flatMap((set) => set.revoked).filter((key) => key.kid === kid)
  const [revoked] = entries
  const key = kitKeys === undefined ? undefined : findKey(kitKeys, kid)
  if (revoked === undefined || key === undefined || !entries.every((entry) => isLater(entry, existedAt)))
    return undefined
  const restored = keySets.map((set) =>
    set.revoked.some((entry) => entry.kid === kid)
      ? {
          ...set,
          keys: [...set.keys.filter((other) => other.kid !== kid), publicJwk(key.x)],
          revoked: set.revoked.filter((entry) => entry.kid !== kid),
        }
      : set,
  )
  return { keySets: restored, revoked }
}

function isLater({ compromised_since: since }: RevokedKey, existedAt: number | undefined): boolean {
  return since !== undefined && existedAt !== undefined && existedAt < Date.parse(since)
}

/**
 * Reads a pinned key as trust stores hold it: `kid`, `issuer` and optionally `key`, which must have that ID.
 */
export function parsePin({ kid, issuer, key }: JsonObject): Pin | undefined {
  if (typeof kid !== 'string' || typeof issuer !== 'string') return undefined
  if (key === undefined) return { kid, issuer }
  const parsed = storedKey(key)
  return parsed?.kid === kid ? { kid, issuer, key: parsed } : undefined
}

function storedKey(value: JsonValue): PublicJwk | undefined {
  const parsed = parseJwks({ keys: [value] })
  return parsed.ok ? parsed.value.keys[0] : undefined
}
