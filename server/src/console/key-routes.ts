import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timestamp } from '../clock.ts'
import type { ApiKeyId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { ApiKeyRow } from '../workspaces/api-keys.ts'
import type { ConsoleServices } from './console-services.ts'
import { NewKeyBody, RotateKeyBody } from './console-schemas.ts'
import { sessionOf } from './guard.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

const HOUR_MS = 3_600_000
const GRACE_HOURS = 24

export function registerKeyRoutes(scope: FastifyInstance, { keys, clock }: ConsoleServices): void {
  const find = async (keyId: ApiKeyId): Promise<ApiKeyRow> => {
    const row = await keys.find(keyId)
    if (row === undefined) throw notFound()
    return row
  }
  /** A key of another workspace is reported as not found. */
  const own = async (request: KeyRequest): Promise<ApiKeyRow> => {
    const row = await find(request.params.key_id as ApiKeyId)
    if (row.workspace_id !== sessionOf(request).workspaceId) throw notFound()
    return row
  }
  const shown = (row: ApiKeyRow): ConsoleResponse<'ApiKey'> => {
    const { key_id, label, created_at, expires_at, revoked_at, last_used_at } = row
    const state = stateOf(row, timestamp(clock.now()))
    return { key_id, label, created_at, expires_at, revoked_at, last_used_at, state }
  }

  scope.get('/keys', { schema: returns('KeyList') }, async (request) => {
    const rows = await keys.list(sessionOf(request).workspaceId)
    return { keys: rows.toReversed().map(shown) }
  })

  scope.post<{ Body: NewKeyBody }>(
    '/keys',
    { schema: { body: NewKeyBody, ...returns('NewKey', 201) } },
    async (request, reply) => {
      const { workspaceId, caller } = sessionOf(request)
      const { label, expires_days } = request.body
      const livesMs = expires_days == null ? undefined : expires_days * 24 * HOUR_MS
      const made = await keys.create(workspaceId, { label, livesMs }, caller.actor)
      reply.code(201)
      return { key: shown(await find(made.keyId)), api_key: made.text }
    },
  )

  scope.post<{ Params: { readonly key_id: string }; Body: RotateKeyBody }>(
    '/keys/:key_id/rotate',
    { schema: { body: RotateKeyBody, ...returns('RotatedKey', 201) } },
    async (request, reply) => {
      const graceMs = (request.body.grace_hours ?? GRACE_HOURS) * HOUR_MS
      const { key_id } = await own(request)
      const made = await keys.rotate(key_id, graceMs, sessionOf(request).caller.actor)
      if (made === undefined) throw notFound()
      reply.code(201)
      return { key: shown(await find(made.keyId)), api_key: made.text, replaced: shown(await find(key_id)) }
    },
  )

  scope.post<{ Params: { readonly key_id: string } }>(
    '/keys/:key_id/revoke',
    { schema: returns('OneKey') },
    async (request) => {
      const { key_id } = await own(request)
      if (!(await keys.revoke(key_id, sessionOf(request).caller.actor))) throw notFound()
      return { key: shown(await find(key_id)) }
    },
  )
}

type KeyRequest = FastifyRequest<{ Params: { readonly key_id: string } }>

function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): ConsoleResponse<'ApiKey'>['state'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return expires_at <= now ? 'expired' : 'ending'
}

const notFound = (): Refusal =>
  new Refusal('key_not_found', 'API key not found in this workspace, or no longer active.')
