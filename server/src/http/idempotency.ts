// docs/decisions/0104
import { createHash } from 'node:crypto'
import { type JsonValue, canonicalJson } from '@kitseal/kit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { Refusal } from '../refusals.ts'

const REMEMBER_ANSWERS_MS = 24 * 60 * 60 * 1000

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface GivenAnswer extends Answer {
  /** Whether it was given before. */
  readonly replayed: boolean
}

/** Sends the very text that is remembered, so that a replay is the same to the byte. */
export function sendAnswer(reply: FastifyReply, { status, body, replayed }: GivenAnswer): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(body)
}

export interface OnceName {
  /** Who sent it, and to which operation: two callers who choose the same key never see each other's answer. */
  readonly scope: string
  readonly key: string
}

export interface OnceKey extends OnceName {
  readonly requestHash: string
}

/** The `Idempotency-Key` of a request, with what it asks for; undefined where there is none. */
export function onceKey(request: FastifyRequest, body: JsonValue): OnceKey | undefined {
  const name = onceName(request)
  return name && onceKeyFor(name, body)
}

export function onceKeyFor(name: OnceName, asked: JsonValue): OnceKey {
  return { ...name, requestHash: createHash('sha256').update(canonicalJson(asked)).digest('hex') }
}

/** For requests that are answered before all of what they ask for is known. */
export function onceName(request: FastifyRequest): OnceName | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal(
      'idempotency_key_malformed',
      'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    )
  }
  const who = request.caller.is === 'workspace' ? request.caller.workspaceId : `address ${request.ip}`
  return { scope: `${who} ${request.method} ${request.routeOptions.url ?? ''}`, key }
}

/** Whether something was answered under this key already, so that whatever comes now is a repeat. */
export async function isAnswered(
  db: Kysely<Database>,
  clock: Clock,
  { scope, key }: OnceName,
): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency')
    .select('created_at')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined && row.created_at > timestamp(clock.now() - REMEMBER_ANSWERS_MS)
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
): Promise<GivenAnswer> {
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
): Promise<GivenAnswer | 'overtaken'> {
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

/** Deletes answers older than a day, at most `limit` of them; returns how many were deleted. */
export async function forgetAnswers(db: Kysely<Database>, clock: Clock, limit: number): Promise<number> {
  const old = db
    .selectFrom('idempotency')
    .select(['scope', 'key'])
    .where('created_at', '<=', timestamp(clock.now() - REMEMBER_ANSWERS_MS))
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const result = await db
    .deleteFrom('idempotency')
    .where((eb) => eb(eb.refTuple('scope', 'key'), 'in', old.$asTuple('scope', 'key')))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
