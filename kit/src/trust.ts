// docs/decisions/0012
import { type Finding, finding } from './errors.ts'
import { findKey, type Jwks, type KeySet, type PublicJwk } from './jwks.ts'
import type { Receipt } from './receipt.ts'
import type { SignerReport } from './report.ts'

/** The keys that the user trusts. None of them comes from the kit. */
export interface Trust {
  readonly keySets: readonly KeySet[]
  /** Key IDs pinned for this verification only. */
  readonly kids: readonly string[]
  /** Keys pinned earlier, each for one issuer. Used only without key sets and key IDs. */
  readonly pins: readonly Pin[]
  /** Integrity only: uses the key in the kit, which does not prove who made it. */
  readonly useKitKeys: boolean
}

export interface Pin {
  readonly kid: string
  readonly issuer: string
  /** The key, if it was pinned from a key set. Otherwise it is taken from the kit by its key ID. */
  readonly key?: PublicJwk | undefined
}

export const NO_TRUST: Trust = { keySets: [], kids: [], pins: [], useKitKeys: false }

/**
 * Trusts the keys of one issuer.
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
export function trustKeys(jwks: Jwks | KeySet): Trust {
  return { ...NO_TRUST, keySets: [{ refused: [], ...jwks }] }
}

export interface ChosenKey {
  /** Undefined if no trusted key matches the receipt. */
  readonly key: PublicJwk | undefined
  readonly trust: SignerReport['trust']
  /** Why no key matches. */
  readonly keyFindings: readonly Finding[]
  /** Why the signer is not trusted. */
  readonly trustFindings: readonly Finding[]
}

/** Finds the key named in the receipt among the trusted keys. */
export function chooseKey(receipt: Receipt, kitKeys: KeySet | undefined, trust: Trust): ChosenKey {
  const kid = receipt.public_key_kid
  if (trust.useKitKeys) return fromSets(kid, kitKeys === undefined ? [] : [kitKeys], 'kit')
  if (trust.keySets.length === 0 && trust.kids.length === 0) return fromPins(receipt, kitKeys, trust.pins)
  if (trust.kids.length > 0 && !trust.kids.includes(kid)) {
    return noKey(
      finding(
        'key_id_mismatch',
        `the receipt names key ${kid}, but the pinned key is ${trust.kids.join(' or ')}`,
      ),
    )
  }
  if (trust.keySets.length > 0) return fromSets(kid, trust.keySets, trust.kids.length > 0 ? 'pinned' : 'jwks')
  return fromKitByKid(kid, kitKeys)
}

function fromSets(kid: string, sets: readonly KeySet[], trust: ChosenKey['trust']): ChosenKey {
  const refused = sets.flatMap((set) => set.refused)
  const named = refused.find((key) => key.kid === kid)
  if (named !== undefined) return noKey(finding('key_id_mismatch', `key ${kid} ${named.why}`))
  const found = sets.map((set) => findKey(set, kid)).filter((key) => key !== undefined)
  const key = found.reduce<PublicJwk | undefined>(shorterPeriod, undefined)
  if (key !== undefined) return { key, trust, keyFindings: [], trustFindings: [] }
  const hint = refused.length === 0 ? '' : `; a key in it ${refused[0]!.why}`
  return noKey(finding('key_not_in_jwks', `key ${kid} is not in the key set${hint}`))
}

/** A key ID is a hash of the key, so a key in the kit with the pinned ID is the pinned key. */
function fromKitByKid(kid: string, kitKeys: KeySet | undefined): ChosenKey {
  const key = kitKeys === undefined ? undefined : findKey(kitKeys, kid)
  if (key !== undefined) return { key, trust: 'pinned', keyFindings: [], trustFindings: [] }
  return noKey(
    finding(
      'key_not_in_jwks',
      `the kit does not contain the public key ${kid}: provide the issuer's key set`,
    ),
  )
}

function fromPins(receipt: Receipt, kitKeys: KeySet | undefined, pins: readonly Pin[]): ChosenKey {
  const { public_key_kid: kid, issuer } = receipt
  const pinned = pins.filter((pin) => pin.kid === kid)
  const pin = pinned.find((candidate) => candidate.issuer === issuer)
  if (pin?.key !== undefined) return { key: pin.key, trust: 'pinned', keyFindings: [], trustFindings: [] }
  if (pin !== undefined) return fromKitByKid(kid, kitKeys)
  const [other] = pinned
  const text =
    other === undefined
      ? `you have not pinned key ${kid} for ${issuer}. If it belongs to that issuer, pin it: ${pinCommand(kid, issuer)}`
      : `key ${kid} is pinned for ${other.issuer}, but the receipt names the issuer ${issuer}`
  return {
    key: undefined,
    trust: 'none',
    keyFindings: [],
    trustFindings: [finding('signer_not_trusted', text)],
  }
}

/** Quoted for a shell, because the issuer comes from the kit. */
function pinCommand(kid: string, issuer: string): string {
  return `kitseal trust add ${kid} --issuer '${issuer.replaceAll(/\p{Cc}/gu, ' ').replaceAll("'", "'\\''")}'`
}

function noKey(found: Finding): ChosenKey {
  return { key: undefined, trust: 'none', keyFindings: [found], trustFindings: [] }
}

/** If several sets contain the key, the shortest active period counts: an older set may not know that it was retired. */
function shorterPeriod(a: PublicJwk | undefined, b: PublicJwk): PublicJwk {
  if (a === undefined) return b
  const { iat: _iat, exp: _exp, ...key } = a
  const iat = Math.max(a.iat ?? 0, b.iat ?? 0)
  const exp = Math.min(a.exp ?? Infinity, b.exp ?? Infinity)
  return { ...key, ...(iat > 0 ? { iat } : {}), ...(exp < Infinity ? { exp } : {}) }
}
