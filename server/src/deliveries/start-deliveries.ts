import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { Log } from '../runtime/logger.ts'
import {
  type ClaimedDelivery,
  claimDelivery,
  type Delivery,
  type DeliveryLeases,
  forgetDeliveries,
  isFirstFailure,
  type Outcome,
  type Settled,
  settleDelivery,
} from './deliveries.ts'

/** A way out of the service, such as mail. */
export interface Channel {
  readonly name: string
  /** Deliveries at the same time, on one node. Those that failed before get at most half. */
  readonly concurrency: number
  /** Before due deliveries are looked for. */
  prepare?(): Promise<void>
  /** Sends. Must end within the lease. What it throws counts as `retry`. */
  deliver(delivery: Delivery): Promise<Outcome>
  /** How long to wait after a failure; undefined to give up. */
  delayMs(delivery: Delivery, now: number): number | undefined
  /** In the transaction that gives up. */
  failed?(trx: Db, delivery: Delivery, problem: string): Promise<void>
}

export interface DeliveriesOptions extends Omit<DeliveryLeases, 'leaseMs'> {
  readonly channels: readonly Channel[]
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly leaseMs?: number
}

const POLL_EVERY_MS = 1000
const FORGET_EVERY_MS = 60 * 60 * 1000
export const DELIVERY_LEASE_MS = 2 * 60 * 1000

export type RunningDeliveries = ReturnType<typeof startDeliveries>

/** Delivers what is due, on every node that runs it. A lease keeps a delivery to one node at a time. */
export function startDeliveries(options: DeliveriesOptions) {
  const { db, clock, log } = options
  const leases = { leaseMs: DELIVERY_LEASE_MS, ...options }
  const state = { stopping: false }
  const running = new Set<Promise<void>>()
  const fillers = options.channels.map((channel) => filler(leases, channel, log, running, state))

  const wake = (): void => {
    for (const fill of fillers) void fill()
  }
  const forget = (): void => {
    forgetDeliveries(db, clock).catch((error: unknown) =>
      log.error({ err: error }, 'cannot remove old deliveries'),
    )
  }
  const timers = [setInterval(wake, POLL_EVERY_MS).unref(), setInterval(forget, FORGET_EVERY_MS).unref()]
  const settled = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running)
  }
  wake()
  return {
    /** Looks for due deliveries at once. */
    wake,
    /** Attempts the deliveries that are due, now. */
    run: async (): Promise<void> => {
      wake()
      await settled()
    },
    stop: async (): Promise<void> => {
      state.stopping = true
      for (const timer of timers) clearInterval(timer)
      await settled()
    },
  }
}

/** Claims deliveries of a channel until nothing is due or all its slots are taken. */
function filler(
  leases: DeliveryLeases,
  channel: Channel,
  log: DeliveriesOptions['log'],
  running: Set<Promise<void>>,
  state: { readonly stopping: boolean },
): () => void {
  const busy = { filling: false, again: false, all: 0, failing: 0 }

  const claim = async (): Promise<ClaimedDelivery | undefined> => {
    if (state.stopping || busy.all >= channel.concurrency) return undefined
    return claimDelivery(leases, channel.name, busy.failing >= channel.concurrency / 2)
  }
  const start = (delivery: ClaimedDelivery): void => {
    const isFailing = delivery.attempt > 1
    busy.all += 1
    if (isFailing) busy.failing += 1
    track(
      deliverOne(leases, channel, log, delivery).finally(() => {
        busy.all -= 1
        if (isFailing) busy.failing -= 1
        fill()
      }),
    )
  }
  const claimAll = async (): Promise<void> => {
    try {
      do {
        busy.again = false
        await channel.prepare?.()
        for (let next = await claim(); next !== undefined; next = await claim()) start(next)
        // A slot may have become free while the queue was read.
      } while (busy.again && !state.stopping)
    } catch (error) {
      if (!state.stopping) log.error({ err: error, channel: channel.name }, 'cannot claim deliveries')
    } finally {
      busy.filling = false
    }
  }
  const track = (work: Promise<void>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const fill = (): void => {
    busy.again = true
    if (busy.filling || state.stopping) return
    busy.filling = true
    track(claimAll())
  }
  return fill
}

async function deliverOne(
  { db, clock }: DeliveryLeases,
  channel: Channel,
  log: DeliveriesOptions['log'],
  delivery: ClaimedDelivery,
): Promise<void> {
  const fields = { channel: channel.name, delivery_id: delivery.deliveryId, attempt: delivery.attempt }
  try {
    const outcome = await channel.deliver(delivery).catch((error: unknown): Outcome => {
      log.error({ err: error, ...fields }, 'delivery failed')
      return { is: 'retry', problem: error instanceof Error ? error.message : String(error) }
    })
    const now = clock.now()
    const settled = withDelay(channel, delivery, outcome, now)
    if (settled.is === 'failed' || settled.is === 'retry')
      log.warn(
        { ...fields, problem: settled.problem },
        settled.is === 'failed' ? 'delivery given up' : 'delivery will be retried',
      )
    await transact(db, async (trx) => {
      const isMine = await settleDelivery(trx, delivery, settled, timestamp(now))
      if (isMine && settled.is === 'failed') await channel.failed?.(trx, delivery, settled.problem)
    })
  } catch (error) {
    // The lease expires, and the delivery is claimed again.
    log.error({ err: error, ...fields }, 'cannot record the outcome of a delivery')
  }
}

function withDelay(channel: Channel, delivery: Delivery, outcome: Outcome, now: number): Settled {
  if (outcome.is !== 'retry') return outcome
  const failed = isFirstFailure(outcome) ? { ...delivery, attempt: 1, failingSince: null } : delivery
  const delayMs = channel.delayMs(failed, now)
  if (delayMs === undefined) return { is: 'failed', problem: outcome.problem }
  return { ...outcome, dueAt: timestamp(now + delayMs) }
}
