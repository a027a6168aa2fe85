import { createHash } from 'node:crypto'
import { type JsonValue, canonicalJson } from '@kitseal/kit/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { type TransactTogether, transact } from '../database/transact.ts'
import { Refusal } from '../refusals.ts'

const RESPONSE_TTL_MS = 24 * 60 * 60 * 1000

export interface StoredResponse {
  readonly status: number
  readonly body: string
}

export interface IdempotentResponse extends StoredResponse {
  /** Whether this is the stored response to an earlier request. */
  readonly replayed: boolean
}

/** Sends the stored text, so that a replay is byte for byte the same. */
export function sendStoredResponse(reply: FastifyReply, { status, body, replayed }: IdempotentResponse) {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

export interface IdempotencyName {
  /** Of caller, method and path with its parameters: a key says nothing about another caller or another path. */
  readonly scope: string
  readonly key: string
}

export interface IdempotencyKey extends IdempotencyName {
  readonly requestHash: string
}

export interface RequestTransactions {
  readonly db: Db
  readonly clock: Clock
  readonly transactTogether: TransactTogether
}

/** Runs `create`, once per key if there is one, with others of the workspace that wait at the same time. */
export async function runTogether(
  { db, clock, transactTogether }: RequestTransactions,
  workspaceId: string,
  once: IdempotencyKey | undefined,
  create: Create,
): Promise<IdempotentResponse> {
  return runOnce(db, clock, once, create, (_db, work) => transactTogether(workspaceId, work))
}

/** The `Idempotency-Key` of a request with the hash of its body. */
export function idempotencyKey(request: FastifyRequest, body: JsonValue): IdempotencyKey | undefined {
  const name = idempotencyName(request)
  return name && idempotencyKeyFor(name, body)
}

export function idempotencyKeyFor(name: IdempotencyName, content: JsonValue): IdempotencyKey {
  return { ...name, requestHash: createHash('sha256').update(canonicalJson(content)).digest('hex') }
}

/** For requests whose body is not known yet. */
export function idempotencyName(request: FastifyRequest): IdempotencyName | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal(
      'idempotency_key_malformed',
      'Idempotency-Key must be 1 to 255 visible ASCII characters.',
      { param: 'Idempotency-Key' },
    )
  }
  // Hashed, because a path may hold the token of a link.
  const scope = [callerOf(request), request.method, request.url.split('?', 1)[0]].join(' ')
  return { scope: createHash('sha256').update(scope).digest('base64url'), key }
}

function callerOf({ caller, ip }: FastifyRequest): string {
  if (caller.is === 'anyone') return `address ${ip}`
  const { actor } = caller
  return actor.is === 'key' ? actor.keyId : actor.is === 'member' ? actor.memberId : actor.linkId
}

/** Whether a response is stored for this key, so that this request is a retry. */
export async function hasStoredResponse(db: Db, clock: Clock, { scope, key }: IdempotencyName) {
  const row = await db
    .selectFrom('idempotency')
    .select('created_at')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined && row.created_at > timestamp(clock.now() - RESPONSE_TTL_MS)
}

type Create = (trx: Db) => Promise<StoredResponse>
type Transact = <T>(db: Db, work: (trx: Db) => Promise<T>) => Promise<T>

/** Runs `create`, once per key if there is one. The response is stored in the same transaction, so a crash loses both or neither. */
export async function runOnce(
  db: Db,
  clock: Clock,
  key: IdempotencyKey | undefined,
  create: Create,
  run: Transact = transact,
): Promise<IdempotentResponse> {
  if (key === undefined) return { ...(await run(db, create)), replayed: false }
  return run(db, (trx) => createForKey(trx, clock.now(), key, create))
}

/** Runs `create` in a transaction, unless a response is stored for the key. */
export async function createForKey(
  trx: Db,
  now: number,
  { scope, key, requestHash }: IdempotencyKey,
  create: Create,
): Promise<IdempotentResponse> {
  const oldest = timestamp(now - RESPONSE_TTL_MS)
  const claim = { request_hash: requestHash, created_at: timestamp(now), ...CLAIMED }
  // Of two requests with one key, the second waits here for the first to commit.
  const claimed = await trx
    .insertInto('idempotency')
    .values({ scope, key, ...claim })
    .onConflict((conflict) =>
      conflict.columns(['scope', 'key']).doUpdateSet(claim).where('idempotency.created_at', '<=', oldest),
    )
    .executeTakeFirst()
  const own = trx.selectFrom('idempotency').selectAll().where('scope', '=', scope).where('key', '=', key)
  if (claimed.numInsertedOrUpdatedRows !== 1n)
    return storedResponse(await own.executeTakeFirstOrThrow(), requestHash)
  const answer = await create(trx)
  await trx.updateTable('idempotency').set(answer).where('scope', '=', scope).where('key', '=', key).execute()
  return { ...answer, replayed: false }
}

/** What a claim holds until its response is known, in the same transaction. */
const CLAIMED = { status: 0, body: '' } as const

function storedResponse(row: StoredResponse & { readonly request_hash: string }, requestHash: string) {
  if (row.request_hash !== requestHash) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was already used with a different body. Use a new key.',
      { param: 'Idempotency-Key' },
    )
  }
  return { status: row.status, body: row.body, replayed: true }
}

/** Deletes up to `limit` responses older than a day and returns their number. */
export async function deleteOldResponses(db: Db, clock: Clock, limit: number): Promise<number> {
  const old = db
    .selectFrom('idempotency')
    .select(['scope', 'key'])
    .where('created_at', '<=', timestamp(clock.now() - RESPONSE_TTL_MS))
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const result = await db
    .deleteFrom('idempotency')
    .where((eb) => eb(eb.refTuple('scope', 'key'), 'in', old.$asTuple('scope', 'key')))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
