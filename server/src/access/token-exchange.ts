import { isFound } from '../database/questions.ts'
import { BOUNDARY, type CiClaims, inAscii } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { Boundary, OneOf } from '../http/schema-parts.ts'
import { bodyValidator } from '../http/validate-request.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Unit } from '../database/unit.ts'
import { readScopes } from '../http/caller.ts'
import { answer, asSent } from '../http/resource.ts'
import { register, route, type Service } from '../http/route.ts'
import { createKey } from './api-keys.ts'
import { apiKeyHash, readApiKey } from './authenticate-key.ts'
import { type Federation, federations } from './federations.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { createHash } from 'node:crypto'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors as joseErrors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'

const FORM = 'application/x-www-form-urlencoded'
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type'

const TokenBody = Type.Object({
  grant_type: OneOf([TOKEN_EXCHANGE]),
  subject_token: Type.String({ minLength: 1, description: 'The token of your CI system.' }),
  subject_token_type: OneOf([`${TOKEN_TYPE}:id_token`, `${TOKEN_TYPE}:jwt`]),
  federation_id: Type.String({ minLength: 1, description: 'The federation to use. It is not a secret.' }),
  actor_token: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'To renew a key: the API key that this subject token, or another one of the same run, was exchanged for, while it is valid.',
    }),
  ),
  actor_token_type: Type.Optional(OneOf([`${TOKEN_TYPE}:access_token`])),
})

const Token = answer(
  'Token',
  'A token that lives 15 minutes (RFC 8693).',
  {
    access_token: Type.String({ description: 'An API key. Send it in `X-API-Key`, or as a bearer token.' }),
    issued_token_type: Type.String(),
    token_type: OneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String({ description: 'Separated by spaces.' }),
    workspace_id: Type.String(),
    boundary: Boundary(),
  },
  ({ text, livesMs, scopes, workspaceId }: Awaited<ReturnType<typeof exchangeToken>>) => ({
    access_token: text,
    issued_token_type: `${TOKEN_TYPE}:access_token`,
    token_type: 'Bearer',
    expires_in: Math.floor(livesMs / 1000),
    scope: scopes.join(' '),
    workspace_id: workspaceId,
    boundary: BOUNDARY,
  }),
)

const validate = bodyValidator(TokenBody as TSchema)

export const tokenRoutes = [
  route('exchangeToken', 'POST /v1/token', {
    access: { scope: 'none', role: 'anyone' },
    config: { rate: 'verify' },
    bodyLimit: 32 * 1024,
    isSecret: true,
    summary: 'Exchange the token of a CI system',
    description:
      'Token exchange (RFC 8693): returns an API key that lives 15 minutes, with the scopes of the federation. Send it in `X-API-Key`, or as a bearer token. A subject token can be exchanged once, and again only together with a valid key that it gave (`actor_token`), until it expires.',
    body: asSent(
      Type.Unsafe({ content: { 'application/json': { schema: TokenBody }, [FORM]: { schema: TokenBody } } }),
    ),
    returns: Token,
    // The body has two types, for which nothing validates it before.
    run: (ctx: ExchangeContext, { body }) => exchangeToken(ctx, validate(body) as Static<typeof TokenBody>),
  }),
]

/** POST /v1/token (RFC 8693). */
export function registerTokenRoutes(app: FastifyInstance, ctx: ExchangeContext): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, text, done) => {
      const entries = [...new URLSearchParams(String(text))]
      const isClear = new Set(entries.map(([name]) => name)).size === entries.length
      if (!isClear) return done(new Refusal('body_invalid', 'A parameter was sent more than once.'))
      return done(null, Object.fromEntries(entries))
    })
    register(scope, tokenRoutes, ctx)
  })
}

const TOKEN_LIFE_MS = 15 * 60_000
const SERVICE = { actor: { is: 'service' } } as const

interface ExchangeContext extends Service {
  readonly clock: Clock
  readonly keys: IssuerKeys
}

/** Exchanges the token of a CI system for an API key that lives 15 minutes: once, or for a key that is held already. */
async function exchangeToken(
  ctx: ExchangeContext,
  { federation_id, subject_token, actor_token }: Static<typeof TokenBody>,
) {
  const found = ctx.units.read(SERVICE, (reader) => reader.rows(federations, { federation_id }).first())
  const federation = await found
  if (federation === undefined || (federation.expires_at ?? '9') <= timestamp(ctx.clock.now()))
    throw rejected('There is no federation with this federation_id')
  const verified = await verifySubjectToken(subject_token, federation, ctx)
  const { workspace_id: workspaceId } = federation
  return ctx.units.write({ ...SERVICE, workspaceId }, 'exchange token', async (unit) => {
    await unit.db.deleteFrom('exchanged_tokens').where('expires_at', '<', unit.at).execute()
    const { numInsertedOrUpdatedRows } = await unit.db
      .insertInto('exchanged_tokens')
      .values({ sha256: verified.sha256, expires_at: timestamp(verified.expiresAtMs) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const isNew = numInsertedOrUpdatedRows === 1n
    if (!isNew && !(await isHeld(unit, actor_token ?? '', federation, verified)))
      throw rejected('It was exchanged before. Get a new one')
    const scopes = readScopes(federation.scopes)
    const { text, expiresAt } = await createKey(unit, {
      label: labelOf(federation, verified.subject),
      scopes,
      livesMs: TOKEN_LIFE_MS,
      federation_id: federation.federation_id,
      ci_claims: verified.claims,
    })
    const livesMs = Date.parse(expiresAt ?? '') - Date.parse(unit.at)
    return { text, workspaceId, scopes, livesMs }
  })
}

/** Whether the caller holds a valid key of the same run, so that the token is not replayed by another. */
async function isHeld(
  { db, at }: Unit,
  key: string,
  { federation_id }: Federation,
  { claims }: SubjectToken,
): Promise<boolean> {
  const keyId = readApiKey(key)
  if (keyId === undefined) return false
  const held = db
    .selectFrom('api_keys')
    .select('key_id')
    .where('key_id', '=', keyId)
    .where('sha256', '=', apiKeyHash(key))
    .where('federation_id', '=', federation_id)
    .where('ci_claims', '=', JSON.stringify(claims))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
  return isFound(held)
}

/** Shown in the audit log. The subject comes from outside. */
const labelOf = ({ label }: Federation, subject: string): string =>
  `${label}: ${subject.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')}`.slice(0, 200)

/** Signatures only: no `none`, and no HMAC, which would make a public key a secret. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const SKEW_SECONDS = 60
const MAX_LIFE_SECONDS = 24 * 60 * 60
const MAX_LENGTH = 16_384

interface SubjectToken {
  readonly subject: string
  /** The same for every text of this token. */
  readonly sha256: string
  readonly expiresAtMs: number
  /** Which run of which pipeline it is for. */
  readonly claims: CiClaims
}

/** Verifies the token of a CI system: signature, issuer, audience, times and claims. Throws a Refusal that says what is wrong. */
async function verifySubjectToken(
  text: string,
  federation: Federation,
  { clock, keys }: { readonly clock: Clock; readonly keys: IssuerKeys },
): Promise<SubjectToken> {
  checkBeforeFetching(text.length > MAX_LENGTH ? '' : text, federation)
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
      if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error
      return verify(await keys.get(federation.issuer, true))
    })
    .catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      throw rejected(problemOf(error, federation), error)
    })
  checkTimes(payload, now)
  checkClaims(payload, federation.claims)
  return {
    subject: String(payload.sub),
    sha256: fingerprint(text, payload),
    expiresAtMs: ((payload.exp ?? 0) + SKEW_SECONDS) * 1000,
    claims: ciClaims(payload, federation.issuer),
  }
}

/** A token that cannot be right causes no request to the issuer. */
function checkBeforeFetching(text: string, { issuer }: Federation): void {
  let read: { readonly alg: unknown; readonly iss: unknown }
  try {
    read = { alg: decodeProtectedHeader(text).alg, iss: decodeJwt(text).iss }
  } catch {
    throw rejected('It is not a JSON Web Token')
  }
  if (!ALGORITHMS.includes(String(read.alg))) throw rejected('Its algorithm is not accepted')
  if (read.iss !== issuer) throw rejected('It is from another issuer')
}

function problemOf(error: unknown, { audience }: Federation): string {
  if (error instanceof joseErrors.JWTExpired) return 'It has expired'
  if (error instanceof joseErrors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return `Its audience is not ${audience}`
    return error.claim === 'nbf' ? 'It is not valid yet' : `Its claim ${error.claim} is missing or wrong`
  }
  return 'Its signature is not valid'
}

function checkTimes({ iat = 0, exp = 0 }: JWTPayload, now: number): void {
  if (iat > now / 1000 + SKEW_SECONDS) throw rejected('It was issued in the future')
  if (exp - iat > MAX_LIFE_SECONDS) throw rejected('It is valid for more than 24 hours')
}

function checkClaims(payload: JWTPayload, rules: Federation['claims']): void {
  for (const { claim, equals, prefix = '' } of rules) {
    const value = payload[claim]
    const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
    // Without `equals`, a rule has a prefix. The expected value is not shown: anyone can get a token of a public issuer.
    const fits = equals === undefined ? prefix !== '' && text?.startsWith(prefix) === true : text === equals
    if (!fits) throw rejected(`Its claim ${claim} does not match`)
  }
}

/** Of the signed part: some signatures can be rewritten so that they stay valid. */
function fingerprint(text: string, { iss, jti }: JWTPayload): string {
  const signed = typeof jti === 'string' ? JSON.stringify([iss, jti]) : text.slice(0, text.lastIndexOf('.'))
  return createHash('sha256').update(signed).digest('hex')
}

const rejected = (problem: string, cause?: unknown): Refusal =>
  new Refusal('token_rejected', `The subject token was not accepted. ${problem}.`, { cause })

const PLACE = /^[\w./@+:-]{1,500}$/
const NUMBER = /^\d{1,20}$/

/** The claims of GitHub and GitLab that say which run of which pipeline a token is for, in their form. The first one that has it counts. */
const CLAIMS: Readonly<
  Record<Exclude<keyof CiClaims, 'issuer'>, { readonly claims: readonly string[]; readonly form: RegExp }>
> = {
  repository: { claims: ['repository', 'project_path'], form: /^[\w.-]+(?:\/[\w.-]+){1,20}$/ },
  ref: { claims: ['ref'], form: PLACE },
  commit: { claims: ['sha'], form: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/ },
  workflow: { claims: ['workflow_ref', 'workflow', 'ci_config_ref_uri'], form: PLACE },
  run: { claims: ['run_id', 'pipeline_id'], form: NUMBER },
  attempt: { claims: ['run_attempt'], form: NUMBER },
}

/**
 * What a kit says about the token of a CI system that was verified. Nothing about a person: no actor, login or address.
 * A workspace chooses the issuers that it trusts, so a claim that is not of its form is not sealed.
 */
function ciClaims(payload: JWTPayload, issuer: string): CiClaims {
  const found = Object.entries(CLAIMS).flatMap(([name, { claims, form }]) => {
    const text = claims.map((claim) => String(payload[claim] ?? '')).find((one) => form.test(one))
    return text === undefined ? [] : [[name, text]]
  })
  return { issuer: inAscii(issuer), ...Object.fromEntries(found) }
}
