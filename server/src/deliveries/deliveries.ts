import { type Clock, timestamp } from '../runtime/clock.ts'
import type { DeliveriesTable, DeliveryId } from '../database/delivery-schema.ts'
import type { Db } from '../database/schema.ts'
import { idInTimeOrder, type WorkspaceId } from '../runtime/identifiers.ts'

export interface NewDelivery {
  readonly channel: string
  /** What is enqueued twice with the same text is sent once. */
  readonly dedupe: string
  readonly workspaceId: WorkspaceId | null
  /** JSON for the channel. Removed once the delivery has ended. */
  readonly payload: object
  readonly dueAt?: string
  /** It is recorded as failed, and not sent. */
  readonly problem?: string | undefined
}

export interface Delivery {
  readonly deliveryId: DeliveryId
  readonly dedupe: string
  readonly workspaceId: WorkspaceId | null
  readonly payload: unknown
  /** 1 for the first. */
  readonly attempt: number
  /** When the current row of failures began. */
  readonly failingSince: string | null
}

export type Outcome =
  | { readonly is: 'sent' }
  /** Delivered, and there will be more: due again at this time. */
  | { readonly is: 'again'; readonly dueAt: string }
  /** `hasProgressed`: something was delivered before the failure, so this is the first one of a row. */
  | { readonly is: 'retry'; readonly problem: string; readonly hasProgressed?: boolean }
  | { readonly is: 'failed'; readonly problem: string }

/** Enqueues in the transaction of the change that causes it. Returns false if it is a duplicate. */
export async function enqueue(
  trx: Db,
  clock: Clock,
  { channel, dedupe, workspaceId, payload, dueAt, problem }: NewDelivery,
): Promise<boolean> {
  const now = timestamp(clock.now())
  const added = await trx
    .insertInto('deliveries')
    .values({
      delivery_id: `dlv_${idInTimeOrder(clock.now())}` as DeliveryId,
      channel,
      dedupe,
      workspace_id: workspaceId,
      payload: problem === undefined ? JSON.stringify(payload) : null,
      state: problem === undefined ? 'pending' : 'failed',
      attempts: 0,
      created_at: now,
      due_at: dueAt ?? now,
      lease_owner: null,
      lease_until: null,
      lease_token: 0,
      failing_since: null,
      problem: problem ?? null,
      ended_at: problem === undefined ? null : now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** Whether there is a delivery of the same text, sent or not. */
export async function isEnqueued(
  db: Db,
  { channel, dedupe }: Pick<NewDelivery, 'channel' | 'dedupe'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('channel', '=', channel)
    .where('dedupe', '=', dedupe)
    .executeTakeFirst()
  return row !== undefined
}

export interface DeliveryLeases {
  readonly db: Db
  readonly clock: Clock
  readonly owner: string
  readonly leaseMs: number
}

export interface ClaimedDelivery extends Delivery {
  /** Fencing token, checked by every write. */
  readonly token: number
}

/** Claims the delivery that is due for longest and has no lease. `first`: only one that has not failed. */
export async function claimDelivery(
  leases: DeliveryLeases,
  channel: string,
  first: boolean,
): Promise<ClaimedDelivery | undefined> {
  const now = leases.clock.now()
  const due = dueDeliveries(leases.db, channel, timestamp(now), first)
  // An idle queue is read, not written to.
  if ((await due.executeTakeFirst()) === undefined) return undefined
  const row = await leases.db
    .updateTable('deliveries')
    .set((eb) => ({
      lease_owner: leases.owner,
      lease_until: timestamp(now + leases.leaseMs),
      lease_token: eb('lease_token', '+', 1),
      attempts: eb('attempts', '+', 1),
    }))
    .where('delivery_id', '=', due.forUpdate().skipLocked())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? undefined : claimed(row)
}

function dueDeliveries(db: Db, channel: string, now: string, first: boolean) {
  const due = db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('state', '=', 'pending')
    .where('channel', '=', channel)
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .orderBy('due_at')
    .orderBy('delivery_id')
    .limit(1)
  return first ? due.where('attempts', '=', 0) : due
}

const claimed = (row: DeliveriesTable): ClaimedDelivery => ({
  deliveryId: row.delivery_id,
  dedupe: row.dedupe,
  workspaceId: row.workspace_id,
  payload: JSON.parse(row.payload ?? '{}') as unknown,
  attempt: row.attempts,
  failingSince: row.failing_since,
  token: row.lease_token,
})

/** An outcome with the time of the next attempt. */
export type Settled =
  | Exclude<Outcome, { is: 'retry' }>
  | (Extract<Outcome, { is: 'retry' }> & { readonly dueAt: string })

export const isFirstFailure = (outcome: Outcome): boolean =>
  outcome.is === 'retry' && outcome.hasProgressed === true

/** Writes the outcome and releases the lease. Returns false if the lease was lost. */
export async function settleDelivery(
  trx: Db,
  { deliveryId, token, failingSince }: ClaimedDelivery,
  outcome: Settled,
  now: string,
): Promise<boolean> {
  const ended = { state: outcome.is === 'sent' ? 'sent' : 'failed', payload: null, ended_at: now } as const
  const changes = {
    sent: { ...ended, problem: null, failing_since: null },
    again: { attempts: 0, problem: null, failing_since: null },
    retry: isFirstFailure(outcome)
      ? { failing_since: now, attempts: 1 }
      : { failing_since: failingSince ?? now },
    failed: ended,
  }[outcome.is]
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({
      lease_owner: null,
      lease_until: null,
      ...changes,
      ...('problem' in outcome ? { problem: outcome.problem.slice(0, MAX_PROBLEM) } : {}),
      ...('dueAt' in outcome ? { due_at: outcome.dueAt } : {}),
    })
    .where('delivery_id', '=', deliveryId)
    .where('lease_token', '=', token)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const MAX_PROBLEM = 500

/** Releases the leases of processes that have ended, so that nobody waits for them to expire. */
export async function releaseDeliveriesOf(db: Db, isGone: (owner: string) => boolean): Promise<void> {
  const owners = await db
    .selectFrom('deliveries')
    .select('lease_owner')
    .distinct()
    .where('state', '=', 'pending')
    .where('lease_owner', 'is not', null)
    .execute()
  for (const { lease_owner } of owners)
    if (lease_owner !== null && isGone(lease_owner))
      await db
        .updateTable('deliveries')
        .set((eb) => ({ lease_owner: null, lease_until: null, lease_token: eb('lease_token', '+', 1) }))
        .where('state', '=', 'pending')
        .where('lease_owner', '=', lease_owner)
        .execute()
}

const KEPT_MS = 90 * 24 * 60 * 60 * 1000

/** Removes deliveries that ended long ago. Until then their `dedupe` prevents a second one. */
export async function forgetDeliveries(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('deliveries')
    .where('state', '<>', 'pending')
    .where('ended_at', '<', timestamp(clock.now() - KEPT_MS))
    .execute()
}
