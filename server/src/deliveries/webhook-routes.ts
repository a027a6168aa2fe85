import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import { transact } from '../database/transact.ts'
import type { WebhookId } from '../runtime/identifiers.ts'
import { EVENT_TYPES } from '../audit/event-types.ts'
import { workspaceOf } from '../http/caller.ts'
import { ANY_ORIGIN } from '../http/headers.ts'
import { checkCursor, listPage, listResponse, PageQuery } from '../http/page-query.ts'
import { createOnce } from '../http/idempotency.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { type Problem, problem } from '../http/schema-problems.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import {
  type Webhook,
  type WebhookAttempt,
  type WebhookAttemptList,
  type WebhookList,
  WebhookRequest,
  WebhookUpdate,
} from './webhook-schemas.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Config } from '../settings/config.ts'
import { type AllowedAddresses, allowedAddresses } from './allowed-addresses.ts'
import { rowOfWebhook } from './seal-stored.ts'
import { makeWebhookSecret } from './sign-webhook.ts'
import { recordAttempts, sendEvent, unqueueWebhook, type WebhookSender } from './webhook-channel.ts'
import {
  changeWebhook,
  createWebhook,
  replayFrom,
  updated,
  webhookNotFound,
  webhookRecord,
  webhookRows,
  type ShownRow,
  type WebhookChange,
  type WebhookVerbsContext,
} from './webhooks.ts'
import { Closed } from '../http/schema-parts.ts'

export interface WebhookContext extends WebhookVerbsContext {
  readonly config: Pick<Config, 'webhookAllow'>
  readonly webhooks: WebhookSender
}

const WebhookKeys = Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) })
type OfWebhook = { Params: { readonly webhook_id: string } }
const HOUR_MS = 3_600_000
const DEFAULT_GRACE_HOURS = 24

const RotateBody = Closed({
  grace_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'Hours in which the old secret signs too. Default: 24.',
    }),
  ),
})
const ReplayBody = Closed({
  after: Type.Integer({ minimum: 0, description: 'Send all events after this `seq` again. 0 for all.' }),
})

const NOTICE =
  'This request was a repetition, so the secret is not shown again. If the first response is lost, rotate the secret.'

const checkWebhook =
  (allowed: AllowedAddresses): ExtraCheck =>
  ({ url, types }) => [
    ...(typeof url === 'string' ? urlProblems(url, allowed) : []),
    ...(Array.isArray(types)
      ? types.flatMap((type, index) =>
          typeof type !== 'string' || Object.hasOwn(EVENT_TYPES, type)
            ? []
            : [problem(`types[${index}]`, `is ${JSON.stringify(type)}, which is not a type of event`)],
        )
      : []),
  ]

function urlProblems(text: string, allowed: AllowedAddresses): readonly Problem[] {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return [problem('url', 'must be an https URL')]
  if (url.username !== '' || url.password !== '')
    return [problem('url', 'must not contain a user name or password')]
  const unreachable = allowed.urlProblem(url)
  return unreachable === undefined ? [] : [problem('url', `can never be reached: ${unreachable}`)]
}

/** /v1/webhooks and /.well-known/webhook-keys.json. */
export function registerWebhookRoutes(app: FastifyInstance, ctx: WebhookContext): void {
  const { db, clock, webhooks: sender } = ctx
  const check = checkWebhook(allowedAddresses(ctx.config.webhookAllow))
  const own = async (request: FastifyRequest<OfWebhook>): Promise<ShownRow> => {
    const { workspaceId } = workspaceOf(request.caller)
    const id = request.params.webhook_id as WebhookId
    const row = await webhookRows(db, workspaceId).where('webhook_id', '=', id).executeTakeFirst()
    if (row === undefined) throw webhookNotFound()
    return row as ShownRow
  }
  const change = async (
    request: FastifyRequest<OfWebhook>,
    ...[action, changes]: WebhookChange
  ): Promise<Webhook> => {
    const { webhook_id } = await own(request)
    await changeWebhook(ctx, workspaceOf(request.caller), webhook_id, action, changes)
    return webhookRecord(await own(request))
  }

  app.route<{ Body: WebhookRequest }>({
    method: 'POST',
    url: '/v1/webhooks',
    validatorCompiler: validateRequest({ body: check, named: { WebhookRequest, WebhookUpdate } }),
    schema: {
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Sends events from now on, signed as Standard Webhooks describes. Only the first response has the secret. A URL that can never be reached is refused: `message` names the setting that allows it.',
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours creates no second webhook. Its response has a `notice` instead of the `secret`.',
      ),
      body: ref('WebhookRequest'),
      response: { 201: ref('Webhook'), ...errors(400, 401, 403, 409, 415, 429) },
    },
    handler: (request, reply) =>
      createOnce(
        ctx,
        request,
        reply,
        async (trx) => {
          const { row, secret } = await createWebhook(trx, ctx, workspaceOf(request.caller), request.body)
          const stored = webhookRecord({ ...row, failing_since: null, due_at: null })
          return {
            stored: { ...stored, notice: NOTICE },
            shownOnce: { secret, notice: undefined },
          }
        },
        ({ webhook_id }) => `/v1/webhooks/${webhook_id}`,
      ),
  })

  app.route({
    method: 'GET',
    url: '/v1/webhooks',
    schema: {
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'All webhooks of the workspace, without their secrets.',
      response: { 200: ref('WebhookList'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<WebhookList> => {
      const rows = await webhookRows(db, workspaceOf(request.caller).workspaceId).execute()
      return listResponse(rows.map((row) => webhookRecord(row as ShownRow)))
    },
  })

  app.route<OfWebhook>({
    method: 'GET',
    url: '/v1/webhooks/:webhook_id',
    schema: {
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      description: 'Its settings, and how far it has delivered.',
      response: { 200: ref('Webhook'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request) => webhookRecord(await own(request)),
  })

  app.route<OfWebhook & { Body: WebhookUpdate }>({
    method: 'PATCH',
    url: '/v1/webhooks/:webhook_id',
    validatorCompiler: validateRequest({ body: check, named: { WebhookRequest, WebhookUpdate } }),
    schema: {
      operationId: 'changeWebhook',
      summary: 'Change a webhook',
      description: 'Changes the members that are sent. The others stay as they are.',
      body: ref('WebhookUpdate'),
      response: { 200: ref('Webhook'), ...errors(400, 401, 403, 404, 415, 429) },
    },
    handler: (request) =>
      change(request, 'webhook.changed', async (row, at) => updated(request.body, row, at)),
  })

  app.route<OfWebhook>({
    method: 'DELETE',
    url: '/v1/webhooks/:webhook_id',
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Stops deliveries at once.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const { workspaceId, actor } = workspaceOf(request.caller)
      const { webhook_id: subject } = await own(request)
      await transact(db, async (trx) => {
        const event = { workspaceId, actor, subject, at: timestamp(clock.now()) }
        await recordEvent(trx, { ...event, action: 'webhook.deleted' })
        await unqueueWebhook(trx, subject)
        await trx.deleteFrom('webhook_attempts').where('webhook_id', '=', subject).execute()
        await trx.deleteFrom('webhooks').where('webhook_id', '=', subject).execute()
      })
      return reply.code(204).send()
    },
  })

  app.route<OfWebhook & { Body: Static<typeof RotateBody> }>({
    method: 'POST',
    url: '/v1/webhooks/:webhook_id/rotate',
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description: 'During the grace period, both secrets sign. Only this response has the new one.',
      body: RotateBody,
      response: { 200: ref('Webhook'), ...errors(400, 401, 403, 404, 415, 429) },
    },
    handler: async (request): Promise<Webhook> => {
      const graceMs = (request.body.grace_hours ?? DEFAULT_GRACE_HOURS) * HOUR_MS
      const secret = makeWebhookSecret()
      const { webhook_id } = await own(request)
      const stored = await ctx.secrets.seal(secret, rowOfWebhook({ webhook_id }))
      const changed = await change(request, 'webhook.secret_rotated', async (row) => ({
        secret: stored,
        previous_secret: graceMs === 0 ? null : row.secret,
        previous_until: graceMs === 0 ? null : timestamp(clock.now() + graceMs),
      }))
      return { ...changed, secret }
    },
  })

  app.route<OfWebhook & { Body: Static<typeof ReplayBody> }>({
    method: 'POST',
    url: '/v1/webhooks/:webhook_id/replay',
    schema: {
      operationId: 'replayWebhook',
      summary: 'Send events again',
      description:
        'Sends all events after a sequence number again, in order. Their `webhook-id` is the same.',
      body: ReplayBody,
      response: { 200: ref('Webhook'), ...errors(400, 401, 403, 404, 415, 429) },
    },
    handler: (request) =>
      change(request, 'webhook.replayed', (row, _at, trx) => replayFrom(trx, row, request.body.after)),
  })

  app.route<OfWebhook>({
    method: 'POST',
    url: '/v1/webhooks/:webhook_id/ping',
    schema: {
      operationId: 'pingWebhook',
      summary: 'Test a webhook',
      description: 'Sends an event of the type `webhook.ping` at once, and returns the result.',
      response: { 200: ref('WebhookAttempt'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request): Promise<WebhookAttempt> => {
      const row = await own(request)
      const ping = {
        seq: 0,
        type: 'webhook.ping',
        timestamp: timestamp(clock.now()),
        workspace_id: row.workspace_id,
        actor: 'service',
        subject: row.webhook_id,
        data: {},
      }
      const attempt = await sendEvent(sender, row, ping)
      const number = await transact(db, (trx) => recordAttempts(trx, row.webhook_id, [attempt]))
      if (number === undefined) throw webhookNotFound()
      const { at, ...sent } = attempt
      return { number, ...sent, created_at: at, boundary: BOUNDARY }
    },
  })

  app.route<OfWebhook & { Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/webhooks/:webhook_id/attempts',
    validatorCompiler: validateRequest({ querystring: checkCursor('attempts') }),
    schema: {
      operationId: 'listWebhookAttempts',
      summary: 'Get the delivery log of a webhook',
      description: 'Newest first. The newest thousand attempts are kept.',
      querystring: PageQuery,
      response: { 200: ref('WebhookAttemptList'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<WebhookAttemptList> => {
      const { webhook_id } = await own(request)
      const attempts = db
        .selectFrom('webhook_attempts')
        .select(['number as sequence', 'seq', 'type', 'at as created_at'])
        .select(['status', 'duration_ms', 'problem'])
        .where('webhook_id', '=', webhook_id)
        .orderBy('number', 'desc')
      const page = await listPage(
        'attempts',
        request.query,
        ({ before, limit }) => attempts.where('number', '<', before).limit(limit).execute(),
        ({ sequence, seq, ...attempt }) => ({ number: Number(sequence), seq: Number(seq), ...attempt }),
      )
      return { webhook_id, ...page }
    },
  })
}

/** The public key that verifies the signature `v1a`. */
export function registerWebhookKeyRoute(app: FastifyInstance, { key }: Pick<WebhookSender, 'key'>): void {
  app.get(
    '/.well-known/webhook-keys.json',
    {
      schema: {
        operationId: 'getWebhookKeys',
        summary: 'The public key of webhooks',
        description: 'A JWKS with the Ed25519 key that makes the signature `v1a`. It signs no receipts.',
        tags: ['Keys'],
        response: { 200: WebhookKeys, ...errors(401) },
      },
    },
    async (_request, reply) => {
      const { kid, x } = await key.signer()
      reply.headers({ 'cache-control': 'public, max-age=300', ...ANY_ORIGIN })
      return { keys: [{ kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig', alg: 'EdDSA' }] }
    },
  )
}
