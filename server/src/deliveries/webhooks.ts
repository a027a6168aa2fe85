import { BOUNDARY } from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { DeliveriesTable } from '../database/delivery-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WebhooksTable } from '../database/webhook-schema.ts'
import { newestEvent } from '../audit/read-feed.ts'
import type { Webhook, WebhookRequest, WebhookUpdate } from './webhook-schemas.ts'
import type { Identifiers, WebhookId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import type { AuditAction } from '../audit/event-types.ts'
import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import { rowOfWebhook } from './seal-stored.ts'
import { makeWebhookSecret } from './sign-webhook.ts'
import { queueWebhook, WEBHOOK_CHANNEL } from './webhook-channel.ts'

export interface WebhookVerbsContext {
  readonly db: Db
  readonly secrets: SecretsAtRest
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'webhookId'>
}

export interface Caller {
  readonly workspaceId: WorkspaceId
  readonly actor: Actor
}

export const MAX_WEBHOOKS = 10

export async function createWebhook(
  trx: Db,
  { clock, identifiers, secrets }: WebhookVerbsContext,
  { workspaceId, actor }: Caller,
  { url, types, description }: WebhookRequest,
): Promise<{ readonly row: WebhooksTable; readonly secret: string }> {
  const at = timestamp(clock.now())
  const webhook_id = identifiers.webhookId()
  const secret = makeWebhookSecret()
  const event = { workspaceId, actor, subject: webhook_id, at } as const
  // Recording the event locks the workspace, so the limit holds.
  const seq = await recordEvent(trx, { ...event, action: 'webhook.created' })
  const others = await trx
    .selectFrom('webhooks')
    .select('webhook_id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  if (others.length >= MAX_WEBHOOKS)
    throw new Refusal('webhook_limit', `A workspace has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`)
  const row: WebhooksTable = {
    webhook_id,
    workspace_id: workspaceId,
    url,
    description: description ?? '',
    types: storedTypes(types),
    secret: await secrets.seal(secret, rowOfWebhook({ webhook_id })),
    previous_secret: null,
    previous_until: null,
    delivered_seq: seq,
    attempts: 0,
    disabled_at: null,
    disabled_reason: null,
    created_at: at,
    updated_at: at,
  }
  await trx.insertInto('webhooks').values(row).execute()
  await queueWebhook(trx, clock, row)
  return { row, secret }
}

const storedTypes = (types: WebhookRequest['types']): string | null =>
  types === null || types === undefined ? null : JSON.stringify([...new Set(types)])

export type ShownRow = WebhooksTable & {
  readonly failing_since: DeliveriesTable['failing_since']
  readonly due_at: DeliveriesTable['due_at'] | null
}

export function webhookRows(db: Db, workspaceId: WorkspaceId) {
  return db
    .selectFrom('webhooks')
    .leftJoin('deliveries', (join) =>
      join
        .onRef('deliveries.dedupe', '=', 'webhooks.webhook_id')
        .on('deliveries.channel', '=', WEBHOOK_CHANNEL)
        .on('deliveries.state', '=', 'pending'),
    )
    .selectAll('webhooks')
    .select(['deliveries.failing_since', 'deliveries.due_at'])
    .where('webhooks.workspace_id', '=', workspaceId)
    .orderBy('webhooks.created_at')
}

export function webhookRecord(row: ShownRow): Webhook {
  return {
    webhook_id: row.webhook_id,
    url: row.url,
    description: row.description,
    types: row.types === null ? null : (JSON.parse(row.types) as string[]),
    enabled: row.disabled_at === null,
    disabled_at: row.disabled_at,
    disabled_reason: row.disabled_reason,
    last_seq: Number(row.delivered_seq),
    failing_since: row.failing_since,
    next_attempt_at: row.failing_since === null ? null : row.due_at,
    previous_secret_until: row.previous_until,
    created_at: row.created_at,
    updated_at: row.updated_at,
    boundary: BOUNDARY,
  }
}

export type WebhookChange = readonly [
  action: Extract<AuditAction, `webhook.${string}`>,
  changes: (row: WebhooksTable, at: string, trx: Db) => Promise<Partial<WebhooksTable>>,
]

/** Changes a webhook and records it. Deliveries start anew at once, without the delay of earlier failures. */
export async function changeWebhook(
  { db, clock }: WebhookVerbsContext,
  { workspaceId, actor }: Caller,
  id: WebhookId,
  ...[action, changes]: WebhookChange
): Promise<void> {
  await transact(db, async (trx) => {
    const at = timestamp(clock.now())
    await recordEvent(trx, { workspaceId, actor, subject: id, at, action })
    const row = await trx
      .selectFrom('webhooks')
      .selectAll()
      .where('webhook_id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw webhookNotFound()
    const set = { ...(await changes(row, at, trx)), updated_at: at }
    await trx.updateTable('webhooks').set(set).where('webhook_id', '=', id).execute()
    if ({ ...row, ...set }.disabled_at === null) await queueWebhook(trx, clock, row)
  })
}

export const webhookNotFound = (): Refusal =>
  new Refusal('webhook_not_found', 'Webhook not found in this workspace.')

export const updated = (
  { url, types, description, enabled }: WebhookUpdate,
  row: WebhooksTable,
  at: string,
): Partial<WebhooksTable> => ({
  ...(url === undefined ? {} : { url }),
  ...(types === undefined ? {} : { types: storedTypes(types) }),
  ...(description === undefined ? {} : { description }),
  ...(enabled === true ? { disabled_at: null, disabled_reason: null } : {}),
  ...(enabled === false && row.disabled_at === null
    ? { disabled_at: at, disabled_reason: 'Disabled by a member or an API key.' }
    : {}),
})

/** Moves a webhook back, so that it gets all events after a sequence number again. */
export async function replayFrom(
  trx: Db,
  { workspace_id }: WebhooksTable,
  after: number,
): Promise<Partial<WebhooksTable>> {
  const newest = await newestEvent(trx, workspace_id)
  if (after > newest)
    throw new Refusal('body_invalid', `after is ${after}, but the newest event is ${newest}.`, {
      param: 'after',
    })
  return { delivered_seq: after }
}
