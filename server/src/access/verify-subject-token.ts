import { createHash } from 'node:crypto'
import type { CiClaims } from '@kitseal/kit/internal'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import type { Clock } from '../runtime/clock.ts'
import type { FederationRow } from './federations.ts'
import { Refusal } from '../refusals.ts'
import { ciClaims } from './ci-claims.ts'
import type { ClaimRule } from './federations.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** Signatures only: no `none`, and no HMAC, which would make a public key a secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const SKEW_SECONDS = 60
const MAX_LIFE_SECONDS = 24 * 60 * 60
const MAX_LENGTH = 16_384

export interface SubjectToken {
  readonly subject: string
  /** The same for every text of this token. */
  readonly sha256: string
  readonly expiresAtMs: number
  /** Which run of which pipeline it is for. */
  readonly claims: CiClaims
}

/** Verifies the token of a CI system: signature, issuer, audience, times and claims. Throws a Refusal that says what is wrong. */
export async function verifySubjectToken(
  text: string,
  federation: FederationRow,
  { clock, keys }: { readonly clock: Clock; readonly keys: IssuerKeys },
): Promise<SubjectToken> {
  checkBeforeFetching(text, federation)
  const now = clock.now()
  const verify = async (set: JSONWebKeySet): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(text, createLocalJWKSet(set), {
      issuer: federation.issuer,
      audience: federation.audience,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    return payload
  }
  const payload = await verify(await keys.get(federation.issuer, false))
    .catch(async (error: unknown) => {
      // The issuer may have a new key.
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return verify(await keys.get(federation.issuer, true))
    })
    .catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      throw rejected(problemOf(error, federation), error)
    })
  checkTimes(payload, now)
  checkClaims(payload, JSON.parse(federation.claims) as readonly ClaimRule[])
  return {
    subject: String(payload.sub),
    sha256: fingerprint(text, payload),
    expiresAtMs: ((payload.exp ?? 0) + SKEW_SECONDS) * 1000,
    claims: ciClaims(payload, federation.issuer),
  }
}

/** A token that cannot be right causes no request to the issuer. */
function checkBeforeFetching(text: string, { issuer }: FederationRow): void {
  const read = ((): { readonly alg: unknown; readonly iss: unknown } | undefined => {
    try {
      return { alg: decodeProtectedHeader(text).alg, iss: decodeJwt(text).iss }
    } catch {
      return undefined
    }
  })()
  if (text.length > MAX_LENGTH || read === undefined) throw rejected('It is not a JSON Web Token')
  if (!ALGORITHMS.includes(String(read.alg))) throw rejected('Its algorithm is not accepted')
  if (read.iss !== issuer) throw rejected('It is from another issuer')
}

function problemOf(error: unknown, { audience }: FederationRow): string {
  if (error instanceof errors.JWTExpired) return 'It has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return `Its audience is not ${audience}`
    return error.claim === 'nbf' ? 'It is not valid yet' : `Its claim ${error.claim} is missing or wrong`
  }
  return 'Its signature is not valid'
}

function checkTimes({ iat = 0, exp = 0 }: JWTPayload, now: number): void {
  if (iat > now / 1000 + SKEW_SECONDS) throw rejected('It was issued in the future')
  if (exp - iat > MAX_LIFE_SECONDS) throw rejected('It is valid for more than 24 hours')
}

function checkClaims(payload: JWTPayload, rules: readonly ClaimRule[]): void {
  for (const rule of rules) {
    const value = payload[rule.claim]
    const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
    const fits = 'equals' in rule ? text === rule.equals : text?.startsWith(rule.prefix) === true
    // The expected value is not shown: anyone can get a token of a public issuer.
    if (!fits) throw rejected(`Its claim ${rule.claim} does not match`)
  }
}

/** Of the signed part: some signatures can be rewritten so that they stay valid. */
function fingerprint(text: string, { iss, jti }: JWTPayload): string {
  const signed = typeof jti === 'string' ? JSON.stringify([iss, jti]) : text.slice(0, text.lastIndexOf('.'))
  return createHash('sha256').update(signed).digest('hex')
}

export const rejected = (problem: string, cause?: unknown): Refusal =>
  new Refusal('token_rejected', `The subject token was not accepted. ${problem}.`, { cause })
