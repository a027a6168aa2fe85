import { Type } from 'typebox'
import { EVENT_TYPES } from '../audit/event-types.ts'
import { newestEvent, type WorkspaceEvent } from '../audit/events.ts'
import { column, type RowOf, sealed, type StoredRow, table } from '../database/table.ts'
import type { Event, Reader, Unit } from '../database/unit.ts'
import { LABEL, NullableTime } from '../http/schema-parts.ts'
import { traceOfMessage } from '../http/request-headers.ts'
import { body, bodyOf, list, member, pages, resource } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import { type Problem, problem } from '../http/validate-request.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { Refusal } from '../refusals.ts'
import type { WebhookId } from '../runtime/identifiers.ts'
import type { Config } from '../settings/config.ts'
import { allowedAddresses } from './outgoing.ts'
import { makeWebhookSecret, type postWebhooks, webhookHeaders } from './post-webhook.ts'
import type { WebhookKey } from './webhook-key.ts'

const TYPES = 'Send only these types of events, such as `submission.passed`. Null or missing for all.'

/** A URL that events are sent to. */
export const webhooks = table('webhooks', {
  webhook_id: column.id<WebhookId>('whk'),
  workspace_id: column.owner(),
  url: column
    .text({ minLength: 1, maxLength: 2000 })
    .hint('An https URL with a public address. The operator can allow others.'),
  description: column
    .text({ ...LABEL, minLength: 0 })
    .hint('For you. One line of text.')
    .default(''),
  types: column
    .json(Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 200, description: TYPES }))
    .nullable(),
  /** `whsec_…`. Not hashed, because it signs. */
  secret: column.sealed(),
  /** Signs too, until `previous_secret_until`. */
  previous_secret: column.sealed().nullable(),
  disabled_at: column.time().nullable().doc('When it was disabled.'),
  disabled_reason: column
    .text()
    .nullable()
    .doc('Why. The service disables a webhook that fails for three days.'),
  last_seq: column.count().doc('`seq` of the newest event that was delivered.'),
  /** So far, which is the number of the newest attempt. */
  attempts: column.count().default(0),
  previous_secret_until: column.time().nullable().doc('Until then, the previous secret signs too.'),
  created_at: column.created(),
  updated_at: column.updated(),
})
  .index(['workspace_id', 'created_at'])
  .missing('webhook_not_found', 'Webhook not found in this workspace.')

/** One request to a webhook. */
export const webhookAttempts = table('webhook_attempts', {
  webhook_id: column.refersTo<WebhookId>('webhooks (webhook_id) on delete cascade'),
  number: column.integer({ minimum: 1 }),
  seq: column.count().doc('Of the event. 0 for a test.'),
  type: column.text(),
  created_at: column.time(),
  status: column.integer().nullable().doc('Of the response. Null if there was none.'),
  duration_ms: column.count(),
  problem: column.text().nullable().doc('Null if it was delivered.'),
}).primaryKey('webhook_id', 'number')

declare module '../database/schema.ts' {
  interface Database {
    readonly webhooks: StoredRow<typeof webhooks>
    readonly webhook_attempts: StoredRow<typeof webhookAttempts>
  }
}

export type Webhook = RowOf<typeof webhooks>
export type Attempt = Omit<RowOf<typeof webhookAttempts>, 'webhook_id' | 'number'>

/** A webhook, and the state of the queue. */
interface Queued extends Webhook {
  readonly failing_since: string | null
  readonly next_attempt_at: string | null
}

export interface WebhookSender {
  readonly clock: Clock
  readonly key: WebhookKey
  readonly post: ReturnType<typeof postWebhooks>
}

/** What webhooks need beyond units. */
export interface Webhooks {
  readonly config: Pick<Config, 'webhookAllow'>
  readonly webhooks: WebhookSender
}

const WebhookResource = resource('Webhook', 'A URL that events are sent to.', webhooks, {
  without: ['attempts'],
  and: {
    enabled: member(Type.Boolean(), ({ disabled_at }: Queued) => disabled_at === null),
    failing_since: NullableTime('When the current row of failures began.'),
    next_attempt_at: NullableTime('When a failed delivery is tried again.'),
  },
  once: { secret: 'Verifies the signature `v1`. Only this response has it. Begins with `whsec_`.' },
  notice:
    'This request was a repetition, so the secret is not shown again. If the first response is lost, rotate the secret.',
})
const WebhookList = list('WebhookList', 'The webhooks of the workspace, oldest first.', WebhookResource)
const AttemptResource = resource('WebhookAttempt', 'One request to a webhook.', webhookAttempts, {
  without: ['webhook_id'],
  boundary: 'alone',
})
const AttemptList = pages('WebhookAttemptList', 'Newest first.', 'attempts', AttemptResource, {
  webhook_id: Type.String(),
})

const WebhookRequest = bodyOf('WebhookRequest', 'Body of POST /v1/webhooks.', webhooks, {
  required: ['url'],
  optional: ['types', 'description'],
})
const WebhookUpdate = bodyOf('WebhookUpdate', 'What to change.', webhooks, {
  optional: ['url', 'types', 'description'],
  and: {
    enabled: Type.Optional(
      Type.Boolean({ description: 'A webhook that is enabled continues where it stopped.' }),
    ),
  },
})
const SecretRotation = body('SecretRotation', {
  grace_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'Hours in which the old secret signs too. Default: 24.',
    }),
  ),
})
const WebhookReplay = body('WebhookReplay', {
  after: Type.Integer({ minimum: 0, description: 'Send all events after this `seq` again. 0 for all.' }),
})

export const MAX_WEBHOOKS = 10
const HOUR_MS = 3_600_000
const path = '/v1/webhooks'
const access = { scope: 'admin', role: 'owner' } as const

export const webhookRoutes = [
  route(`createWebhook`, `POST ${path}`, {
    access,
    summary: 'Create a webhook',
    description:
      'Sends events from now on, signed as Standard Webhooks describes. Only the first response has the secret. A URL that can never be reached is refused: `message` names the setting that allows it.',
    once: 'A retry with the same key within 24 hours creates no second webhook. Its response has a `notice` instead of the `secret`.',
    body: WebhookRequest,
    check: problemsOf,
    example: { url: 'https://example.com/hook', types: ['submission.passed'] },
    returns: WebhookResource,
    location: `${path}/:webhook_id`,
    codes: ['webhook_limit'],
    async handle(unit, { body: { types = null, ...asked } }) {
      const secret = makeWebhookSecret()
      const { webhook_id } = await unit.insert(webhooks, {
        ...asked,
        types: withoutRepetition(types),
        secret: sealed(secret),
        last_seq: 0,
      })
      // Recording the event locks the workspace, so the limit holds.
      const last_seq = await unit.record('webhook.created', webhook_id)
      if ((await unit.own(webhooks).count()) > MAX_WEBHOOKS)
        throw new Refusal(
          'webhook_limit',
          `A workspace has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
        )
      const made = await unit.update(webhooks, webhook_id, { last_seq })
      await unit.queue('webhook', webhook_id)
      return { ...(await queued(unit, made)), once: { secret } }
    },
  }),
  route('listWebhooks', `GET ${path}`, {
    access,
    summary: 'List webhooks',
    description: 'All webhooks of the workspace, without their secrets.',
    returns: WebhookList,
    async read(reader) {
      const rows = await reader.own(webhooks).orderBy('created_at').all()
      return Promise.all(rows.map((row) => queued(reader, row)))
    },
  }),
  route('getWebhook', `GET ${path}/:webhook_id`, {
    access,
    summary: 'Get a webhook',
    description: 'Its settings, and how far it has delivered.',
    returns: WebhookResource,
    read: async (reader, { params }) => queued(reader, await reader.own(webhooks).find(params.webhook_id)),
  }),
  route('changeWebhook', `PATCH ${path}/:webhook_id`, {
    access,
    summary: 'Change a webhook',
    description: 'Changes the members that are sent. The others stay as they are.',
    body: WebhookUpdate,
    check: problemsOf,
    example: { description: 'Ticket system' },
    returns: WebhookResource,
    handle: (unit, { params, body: { enabled, types, ...asked } }) =>
      change(unit, params.webhook_id, 'webhook.changed', (row) => ({
        ...asked,
        ...(types === undefined ? {} : { types: withoutRepetition(types) }),
        ...(enabled === true ? { disabled_at: null, disabled_reason: null } : {}),
        ...(enabled === false && row.disabled_at === null
          ? { disabled_at: unit.at, disabled_reason: 'Disabled by a member or an API key.' }
          : {}),
      })),
  }),
  route('deleteWebhook', `DELETE ${path}/:webhook_id`, {
    access,
    summary: 'Delete a webhook',
    description: 'Stops deliveries at once.',
    async handle(unit, { params }) {
      const { webhook_id } = await unit.own(webhooks).lock(params.webhook_id)
      await unit.record('webhook.deleted', webhook_id)
      await unit.unqueue('webhook', webhook_id)
      await unit.delete(webhooks, webhook_id)
    },
  }),
  route('rotateWebhookSecret', `POST ${path}/:webhook_id/rotate`, {
    access,
    summary: 'Rotate the secret of a webhook',
    description: 'During the grace period, both secrets sign. Only this response has the new one.',
    body: SecretRotation,
    example: { grace_hours: 24 },
    returns: WebhookResource,
    async handle(unit, { params, body: { grace_hours: hours = 24 } }) {
      const secret = makeWebhookSecret()
      const changed = await change(unit, params.webhook_id, 'webhook.secret_rotated', (row) => ({
        secret: sealed(secret),
        previous_secret: hours === 0 ? null : row.secret,
        previous_secret_until: hours === 0 ? null : unit.after(hours * HOUR_MS),
      }))
      return { ...changed, once: { secret } }
    },
  }),
  route('replayWebhook', `POST ${path}/:webhook_id/replay`, {
    access,
    summary: 'Send events again',
    description: 'Sends all events after a sequence number again, in order. Their `webhook-id` is the same.',
    body: WebhookReplay,
    example: { after: 0 },
    returns: WebhookResource,
    async handle(unit, { params, body: { after } }) {
      const changed = await change(unit, params.webhook_id, 'webhook.replayed', () => ({ last_seq: after }))
      const newest = await newestEvent(unit.db, unit.workspaceId)
      if (after <= newest) return changed
      throw new Refusal('body_invalid', `after is ${after}, but the newest event is ${newest}.`, {
        param: 'after',
      })
    },
  }),
  route('pingWebhook', `POST ${path}/:webhook_id/ping`, {
    access,
    summary: 'Test a webhook',
    description: 'Sends an event of the type `webhook.ping` at once, and returns the result.',
    returns: AttemptResource,
    async run({ units, webhooks: sender }: Service & Webhooks, { params, acting }) {
      const row = await units.read(acting, (reader) => reader.own(webhooks).find(params.webhook_id))
      const { webhook_id, workspace_id } = row
      const attempt = await sendEvent(sender, row, {
        seq: 0,
        type: 'webhook.ping',
        timestamp: timestamp(sender.clock.now()),
        workspace_id,
        actor: 'service',
        subject: webhook_id,
        data: {},
      })
      const number = await units.write(acting, 'pingWebhook', (unit) =>
        recordAttempts(unit, webhook_id, [attempt]),
      )
      if (number === undefined) throw new Refusal(...webhooks.more.missing)
      return { webhook_id, number, ...attempt }
    },
  }),
  route('listWebhookAttempts', `GET ${path}/:webhook_id/attempts`, {
    access,
    summary: 'Get the delivery log of a webhook',
    description: 'Newest first. The newest thousand attempts are kept.',
    returns: AttemptList,
    async read(reader, { params, page }) {
      const { webhook_id } = await reader.own(webhooks).find(params.webhook_id)
      return { webhook_id, ...(await reader.rows(webhookAttempts, { webhook_id }).page('number', page)) }
    },
  }),
]

const withoutRepetition = (types: Webhook['types']): Webhook['types'] => types && [...new Set(types)]

/** With the state of its task, which is due while there are events that it has not got. */
async function queued(reader: Reader, row: Webhook): Promise<Queued> {
  const task = await reader.db
    .selectFrom('tasks')
    .select(['failing_since', 'due_at'])
    .where('kind', '=', 'webhook')
    .where('key', '=', row.webhook_id)
    .executeTakeFirst()
  const failing_since = task?.failing_since ?? null
  return {
    ...row,
    failing_since,
    next_attempt_at: failing_since === null ? null : (task?.due_at ?? null),
  }
}

/** Changes a webhook and records it. Deliveries start anew at once, without the delay of earlier failures. */
async function change(
  unit: Unit,
  id: string,
  action: Event['action'],
  changes: (row: Webhook) => Partial<Webhook>,
): Promise<Queued> {
  const row = await unit.own(webhooks).lock(id)
  await unit.record(action, id)
  const changed = await unit.update(webhooks, id, changes(row))
  if (changed.disabled_at === null) await unit.queue('webhook', id)
  return queued(unit, changed)
}

const UNREADABLE = 'The secret of the webhook cannot be decrypted. Rotate it.'

/** The ID is the same for every attempt, so that a receiver recognizes a duplicate. */
export async function sendEvent(
  { clock, key, post }: WebhookSender,
  webhook: Webhook,
  event: WorkspaceEvent,
): Promise<Attempt> {
  const at = clock.now()
  const text = JSON.stringify(event)
  const id = `evt_${webhook.webhook_id.slice('whk_'.length)}_${event.seq === 0 ? `ping_${at}` : event.seq}`
  const attempt = { seq: event.seq, type: event.type, created_at: timestamp(at) }
  const secret = webhook.secret.reveal()
  if (secret === undefined) return { ...attempt, status: null, duration_ms: 0, problem: UNREADABLE }
  const { previous_secret, previous_secret_until: until } = webhook
  const previous = until !== null && Date.parse(until) > at ? previous_secret?.reveal() : undefined
  const secrets = previous === undefined ? [secret] : [secret, previous]
  const signed = await webhookHeaders({ id, timestampMs: at, body: text }, secrets, await key.signer())
  const headers = { ...signed, traceparent: traceOfMessage(id).traceparent }
  const started = performance.now()
  const posted = await post(webhook.url, headers, text)
  return { ...attempt, ...posted, duration_ms: Math.round(performance.now() - started) }
}

const KEPT_ATTEMPTS = 1000

/** Returns the number of the last one; undefined if the webhook was deleted meanwhile. The newest thousand are kept. */
export async function recordAttempts(unit: Unit, webhook_id: WebhookId, made: readonly Attempt[]) {
  const row = await unit.db
    .updateTable('webhooks')
    .set((eb) => ({ attempts: eb('attempts', '+', made.length) }))
    .where('webhook_id', '=', webhook_id)
    .returning('attempts')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const first = row.attempts - made.length + 1
  await unit.insertAll(
    webhookAttempts,
    made.map((attempt, index) => ({ webhook_id, number: first + index, ...attempt })),
  )
  await unit.db
    .deleteFrom('webhook_attempts')
    .where('webhook_id', '=', webhook_id)
    .where('number', '<=', row.attempts - KEPT_ATTEMPTS)
    .execute()
  return row.attempts
}

/** What the schema cannot say. */
function* problemsOf(
  { url: text, types }: Partial<Pick<Webhook, 'url' | 'types'>>,
  { config }: Webhooks,
): Generator<Problem> {
  if (typeof text === 'string') {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const unreachable = url && allowedAddresses(config.webhookAllow).urlProblem(url)
    if (url === undefined || !/^https?:$/.test(url.protocol)) yield problem('url', 'must be an https URL')
    else if (url.username !== '' || url.password !== '')
      yield problem('url', 'must not contain a user name or password')
    else if (unreachable !== undefined) yield problem('url', `can never be reached: ${unreachable}`)
  }
  if (Array.isArray(types))
    for (const [index, type] of types.entries())
      if (typeof type === 'string' && !Object.hasOwn(EVENT_TYPES, type))
        yield problem(`types[${index}]`, `is ${JSON.stringify(type)}, which is not a type of event`)
}
