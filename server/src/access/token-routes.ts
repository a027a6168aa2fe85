import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { errors, ref, Boundary, Named, OneOf } from '../http/schema-parts.ts'
import { bodyValidator } from '../http/validate-request.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { transact } from '../database/transact.ts'
import { readScopes, type Scope } from '../http/caller.ts'
import type { Db } from '../database/schema.ts'
import { apiKeyHash, readApiKey } from './api-key.ts'
import { insertApiKey } from './api-keys.ts'
import { type FederationRow, findFederation } from './federations.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { rejected, type SubjectToken, verifySubjectToken } from './verify-subject-token.ts'

const BODY_LIMIT_BYTES = 32 * 1024
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

export const Token = Named('Token', 'A token that lives 15 minutes (RFC 8693).', {
  access_token: Type.String({ description: 'An API key. Send it in `X-API-Key`, or as a bearer token.' }),
  issued_token_type: Type.String(),
  token_type: OneOf(['Bearer']),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  scope: Type.String({ description: 'Separated by spaces.' }),
  workspace_id: Type.String(),
  boundary: Boundary(),
})

/** POST /v1/token (RFC 8693). */
export function registerTokenRoutes(app: FastifyInstance, ctx: ExchangeContext): void {
  const validate = bodyValidator(TokenBody as unknown as Parameters<typeof bodyValidator>[0])
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, text, done) => {
      const entries = [...new URLSearchParams(String(text))]
      const isClear = new Set(entries.map(([name]) => name)).size === entries.length
      if (!isClear) return done(new Refusal('body_invalid', 'A parameter was sent more than once.'))
      return done(null, Object.fromEntries(entries))
    })
    scope.route({
      method: 'POST',
      url: '/v1/token',
      bodyLimit: BODY_LIMIT_BYTES,
      config: { rate: 'verify' },
      schema: {
        operationId: 'exchangeToken',
        summary: 'Exchange the token of a CI system',
        description:
          'Token exchange (RFC 8693): returns an API key that lives 15 minutes, with the scopes of the federation. Send it in `X-API-Key`, or as a bearer token. A subject token can be exchanged once, and again only together with a valid key that it gave (`actor_token`), until it expires.',
        body: { content: { 'application/json': { schema: TokenBody }, [FORM]: { schema: TokenBody } } },
        response: { 200: ref('Token'), ...errors(400, 401, 413, 415, 429, 503) },
      },
      handler: async (request, reply) => {
        const asked = validate(request.body) as Static<typeof TokenBody>
        const made = await exchangeToken(ctx, asked)
        reply.header('cache-control', 'no-store')
        return {
          access_token: made.text,
          issued_token_type: `${TOKEN_TYPE}:access_token`,
          token_type: 'Bearer',
          expires_in: Math.floor(made.livesMs / 1000),
          scope: made.scopes.join(' '),
          workspace_id: made.workspaceId,
          boundary: BOUNDARY,
        }
      },
    })
  })
}

const TOKEN_LIFE_MS = 15 * 60_000

interface ExchangeContext {
  readonly db: Db
  readonly clock: Clock
  readonly keys: IssuerKeys
}

interface ExchangedToken {
  readonly text: string
  readonly workspaceId: string
  readonly scopes: readonly Scope[]
  readonly livesMs: number
}

/** Exchanges the token of a CI system for an API key that lives 15 minutes: once, or for a key that is held already. */
async function exchangeToken(
  ctx: ExchangeContext,
  { federation_id, subject_token, actor_token }: Static<typeof TokenBody>,
): Promise<ExchangedToken> {
  const federation = await findFederation(ctx.db, federation_id)
  const isOver = (federation?.expires_at ?? '9') <= timestamp(ctx.clock.now())
  if (federation === undefined || isOver) throw rejected('There is no federation with this federation_id')
  const verified = await verifySubjectToken(subject_token, federation, ctx)
  return transact(ctx.db, async (trx) => {
    const now = timestamp(ctx.clock.now())
    await trx.deleteFrom('exchanged_tokens').where('expires_at', '<', now).execute()
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('exchanged_tokens')
      .values({ sha256: verified.sha256, expires_at: timestamp(verified.expiresAtMs) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const isNew = numInsertedOrUpdatedRows === 1n
    if (!isNew && !(await isHeld(trx, actor_token ?? '', federation, verified, now)))
      throw rejected('It was exchanged before. Get a new one')
    const scopes = readScopes(federation.scopes)
    const terms = { label: labelOf(federation, verified.subject), scopes, livesMs: TOKEN_LIFE_MS }
    const { text, expiresAt } = await insertApiKey(
      trx,
      ctx.clock,
      federation.workspace_id,
      { ...terms, federationId: federation.federation_id, ciClaims: verified.claims },
      { is: 'service' },
    )
    const livesMs = Date.parse(expiresAt ?? '') - ctx.clock.now()
    return { text, workspaceId: federation.workspace_id, scopes, livesMs }
  })
}

/** Whether the caller holds a valid key of the same run, so that the token is not replayed by another. */
async function isHeld(
  trx: Db,
  key: string,
  { federation_id }: FederationRow,
  { claims }: SubjectToken,
  now: string,
): Promise<boolean> {
  const keyId = readApiKey(key)
  if (keyId === undefined) return false
  const row = await trx
    .selectFrom('api_keys')
    .select('key_id')
    .where('key_id', '=', keyId)
    .where('sha256', '=', apiKeyHash(key))
    .where('federation_id', '=', federation_id)
    .where('ci_claims', '=', JSON.stringify(claims))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Shown in the audit log. The subject comes from outside. */
const labelOf = ({ label }: FederationRow, subject: string): string =>
  `${label}: ${subject.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')}`.slice(0, 200)
