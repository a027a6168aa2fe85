import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { ApiKey, ApiKeyRequest } from './access-schemas.ts'
import { workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/page-query.ts'
import { createOnce } from '../http/idempotency.ts'
import type { Db } from '../database/schema.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { requireScopes } from './may-call.ts'
import { DEFAULT_SCOPES, readScopes } from '../http/scopes.ts'
import type { ApiKeyId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { type ApiKeyRow, type ApiKeys, findKey, insertApiKey } from './api-keys.ts'
import { Closed } from '../http/schema-parts.ts'

const HOUR_MS = 3_600_000
const GRACE_HOURS = 24
const BODY_LIMIT_BYTES = 4096

const RotateBody = Closed({
  grace_hours: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 8760 }), Type.Null()], {
      description: `Hours until the old key expires. Default: ${GRACE_HOURS}.`,
    }),
  ),
})
type OfKey = { Params: { readonly key_id: string } }

const NOTICE =
  'This request was a repetition, so the secret is not shown again. If the first response is lost, revoke this key and create another.'

/** The API keys of a workspace. Secrets are not stored: a retry gets the key without its secret. */
export function registerKeyRoutes(
  app: FastifyInstance,
  { db, keys, clock }: { readonly db: Db; readonly keys: ApiKeys; readonly clock: Clock },
): void {
  const shown = (row: ApiKeyRow): ApiKey => {
    const { key_id, label, created_by, created_by_name, created_at, expires_at, revoked_at } = row
    const status = statusOf(row, timestamp(clock.now()))
    const scopes = readScopes(row.scopes)
    const by = { created_by, created_by_name }
    const times = { created_at, expires_at, revoked_at, last_used_at: row.last_used_at }
    return { key_id, label, scopes, status, ...by, ...times, boundary: BOUNDARY }
  }
  const current = async (keyId: ApiKeyId, from = db): Promise<ApiKey> => {
    const row = await findKey(from, keyId)
    if (row === undefined) throw keyNotFound()
    return shown(row)
  }
  /** A key of another workspace is reported as not found. */
  const own = async (request: FastifyRequest<OfKey>): Promise<ApiKeyRow> => {
    const row = await keys.find(request.params.key_id as ApiKeyId)
    if (row?.workspace_id !== workspaceOf(request.caller).workspaceId) throw keyNotFound()
    return row
  }

  app.route({
    method: 'GET',
    url: '/v1/keys',
    schema: {
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description: 'Also those that are expired or revoked. Secrets are not shown.',
      response: { 200: ref('ApiKeyList'), ...errors(401, 403, 429) },
    },
    handler: async (request) => {
      const rows = await keys.list(workspaceOf(request.caller).workspaceId)
      return listResponse(rows.toReversed().map(shown))
    },
  })

  app.route<{ Body: ApiKeyRequest }>({
    method: 'POST',
    url: '/v1/keys',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description:
        'The first response has the secret, and nothing else ever does. Made by an API key, the new key expires and is revoked with it, unless a person extends it.',
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours creates no second API key. Its response has `api_key: null` and a `notice`, because the secret is not stored.',
      ),
      body: ref('ApiKeyRequest'),
      response: { 201: ref('CreatedApiKey'), ...errors(400, 401, 403, 409, 413, 415, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const { label, scopes = DEFAULT_SCOPES, expires_days } = request.body
      requireScopes(caller, scopes)
      const livesMs = expires_days == null ? undefined : expires_days * 24 * HOUR_MS
      const terms = { label, scopes, livesMs }
      reply.header('cache-control', 'no-store')
      return createOnce({ db, clock }, request, reply, async (trx) => {
        const made = await insertApiKey(trx, clock, caller.workspaceId, terms, caller.actor)
        const key = await current(made.keyId, trx)
        return {
          stored: { key, api_key: null, notice: NOTICE, boundary: BOUNDARY },
          shownOnce: { api_key: made.text, notice: undefined },
        }
      })
    },
  })

  app.route<OfKey & { Body: Static<typeof RotateBody> }>({
    method: 'POST',
    url: '/v1/keys/:key_id/rotate',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'rotateApiKey',
      summary: 'Rotate an API key',
      description:
        'Creates a key with the same label, scopes and lifetime. The old key works until the grace period ends. Rotated by an API key, it expires no later than that key.',
      body: RotateBody,
      response: { 201: ref('RotatedApiKey'), ...errors(400, 401, 403, 404, 413, 415, 429) },
    },
    handler: async (request, reply) => {
      const { actor } = workspaceOf(request.caller)
      const old = await own(request)
      requireScopes(request.caller, readScopes(old.scopes))
      const graceMs = (request.body.grace_hours ?? GRACE_HOURS) * HOUR_MS
      const made = await keys.rotate(old.key_id, graceMs, actor)
      if (made === undefined) throw keyNotFound()
      reply.code(201).header('cache-control', 'no-store')
      const [key, replaced] = [await current(made.keyId), await current(old.key_id)]
      return { key, api_key: made.text, replaced, boundary: BOUNDARY }
    },
  })

  app.route<OfKey>({
    method: 'DELETE',
    url: '/v1/keys/:key_id',
    schema: {
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description:
        'Also revokes the keys and deletes the federations that it made. Takes effect with the next request, on every node. A revoked key stays in the list.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const { key_id } = await own(request)
      if (!(await keys.revoke(key_id, workspaceOf(request.caller).actor))) throw keyNotFound()
      return reply.code(204).send()
    },
  })
}

function statusOf({ revoked_at, expires_at }: ApiKeyRow, now: string): ApiKey['status'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return expires_at <= now ? 'expired' : 'ending'
}

export const keyNotFound = (): Refusal =>
  new Refusal('key_not_found', 'API key not found in this workspace, or no longer active.')
