import { createHash } from 'node:crypto'
import { type JsonValue, canonicalJson } from '@kitseal/kit'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { Refusal } from '../refusals.ts'
import { REMEMBER_ANSWERS_MS } from '../work/sweeper.ts'

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface OnceKey {
  /** Who sent it, and to which operation: two callers who choose the same key never see each other's answer. */
  readonly scope: string
  readonly key: string
  readonly requestHash: string
}

/** The `Idempotency-Key` of a request; undefined where there is none. */
export function onceKey(request: FastifyRequest, body: JsonValue): OnceKey | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal(
      'idempotency_key_malformed',
      'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    )
  }
  const who = request.caller.is === 'workspace' ? request.caller.workspaceId : `address ${request.ip}`
  const scope = `${who} ${request.method} ${request.routeOptions.url ?? ''}`
  return { scope, key, requestHash: createHash('sha256').update(canonicalJson(body)).digest('hex') }
}

/**
 * Runs `create` once per key: its answer is remembered in the transaction that creates, so that after any crash either
 * both are there or neither is.
 */
export async function answerOnce(
  db: Kysely<Database>,
  clock: Clock,
  once: OnceKey,
  create: (trx: Kysely<Database>) => Promise<Answer>,
): Promise<Answer & { readonly replayed: boolean }> {
  for (;;) {
    const answer = await tryOnce(db, clock, once, create)
    if (answer !== 'overtaken') return answer
  }
}

/** Of two that come at once, one is answered; the other is undone, and then finds that answer. */
class Overtaken extends Error {}

async function tryOnce(
  db: Kysely<Database>,
  clock: Clock,
  once: OnceKey,
  create: (trx: Kysely<Database>) => Promise<Answer>,
): Promise<(Answer & { readonly replayed: boolean }) | 'overtaken'> {
  return transact(db, async (trx) => {
    const remembered = await recall(trx, once, timestamp(clock.now() - REMEMBER_ANSWERS_MS))
    if (remembered !== undefined) return { ...remembered, replayed: true }
    const answer = await create(trx)
    const row = {
      scope: once.scope,
      key: once.key,
      request_hash: once.requestHash,
      created_at: timestamp(clock.now()),
    }
    const inserted = await trx
      .insertInto('idempotency')
      .values({ ...row, ...answer })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new Overtaken()
    return { ...answer, replayed: false }
  }).catch((error: unknown) => {
    if (error instanceof Overtaken) return 'overtaken' as const
    throw error
  })
}

async function recall(trx: Kysely<Database>, once: OnceKey, oldest: string): Promise<Answer | undefined> {
  const row = await trx
    .selectFrom('idempotency')
    .selectAll()
    .where('scope', '=', once.scope)
    .where('key', '=', once.key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.created_at <= oldest) {
    await trx.deleteFrom('idempotency').where('scope', '=', once.scope).where('key', '=', once.key).execute()
    return undefined
  }
  if (row.request_hash !== once.requestHash) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key came before with another body. Choose a new one.',
    )
  }
  return { status: row.status, body: row.body }
}
