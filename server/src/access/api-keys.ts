import { timingSafeEqual, hash, randomBytes } from 'node:crypto'
import type { CiClaims } from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { constantTimeLookup } from '../database/secret.ts'
import { type Param, preparedFirst } from '../database/statements.ts'
import { column, type StoredRow, table } from '../database/table.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Authenticate, readScopes, type Scope, SCOPES, writeScopes } from '../http/caller.ts'
import type { ApiKeyId, FederationId, WorkspaceId } from '../runtime/identifiers.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import { type LastUse, watchLastUse } from './last-use.ts'
import { earlier, endOfMaker, endWhatItMade, limitWhatItMade, makerOf } from './makers.ts'
import { PLAN_COLUMNS, type PlanRow, planOf } from './plans.ts'
import type { EventLog } from '../runtime/logger.ts'
import { sql } from 'kysely'
import { crc32 } from 'node:zlib'

/** A secret that lets a program act for a workspace. The secret itself is not stored. */
export const apiKeyTable = table('api_keys', {
  key_id: column.text<ApiKeyId>(),
  workspace_id: column.owner(),
  /** Of the whole key, hex. */
  sha256: column.text(),
  label: column.text(),
  /** Separated by spaces. */
  scopes: column.text().default(SCOPES.join(' ')),
  /** Of a token that was exchanged for the token of a CI system. */
  federation_id: column.text<FederationId>().nullable(),
  /** JSON: CiClaims of that token. */
  ci_claims: column.text().nullable(),
  created_by: column
    .text()
    .nullable()
    .doc(
      'ID of the member, API key or federation that made or extended it, or `operator` or `service`. Null if unknown.',
    ),
  created_at: column.created(),
  expires_at: column.time().nullable().doc('Null if the key does not expire.'),
  revoked_at: column.time().nullable().doc('Null unless the key is revoked.'),
  last_used_at: column.time().nullable().doc('Within about 10 seconds. Null if the key was never used.'),
})
  .primaryKey('key_id')
  .unique(['sha256'])
  .index(['workspace_id', 'created_at'])
  .index(['federation_id'], 'federation_id is not null')
  .index(['created_by'], 'created_by is not null')
  .stays('keys are not deleted')
  .fixed(
    'a key and its scopes do not change, and a revoked one stays revoked',
    ['created_by', 'expires_at', 'revoked_at', 'last_used_at'],
    'old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at',
  )
  .missing('key_not_found', 'API key not found in this workspace, or no longer active.')

declare module '../database/schema.ts' {
  interface Database {
    readonly api_keys: ApiKeysTable
  }
}

type ApiKeysTable = StoredRow<typeof apiKeyTable>

export type ApiKeyRow = Omit<ApiKeysTable, 'sha256' | 'federation_id' | 'ci_claims'> & {
  readonly created_by_name: string | null
}

interface KeyTerms {
  readonly label: string
  /** Undefined: every scope. */
  readonly scopes?: readonly Scope[] | undefined
  /** Lifetime from now. Undefined: does not expire. */
  readonly livesMs?: number | undefined
  /** Of a token that was exchanged for the token of a CI system. */
  readonly federationId?: FederationId | undefined
  readonly ciClaims?: CiClaims | undefined
  /** Of a key that replaces itself. */
  readonly createdBy?: string | null
}

const SHOWN = [
  'key_id',
  'workspace_id',
  'label',
  'scopes',
  'created_by',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const

export function apiKeys(db: Db, clock: Clock) {
  const now = (): string => timestamp(clock.now())
  return {
    find: (keyId: ApiKeyId): Promise<ApiKeyRow | undefined> => findKey(db, keyId),
    /** Neither revoked nor expired. */
    isActive: async (keyId: ApiKeyId): Promise<boolean> => {
      const key = await findKey(db, keyId)
      return key !== undefined && key.revoked_at === null && !isExpired(key, now())
    },
    list: (workspaceId: WorkspaceId): Promise<readonly ApiKeyRow[]> => listKeys(db, workspaceId),
    create: (workspaceId: WorkspaceId, terms: KeyTerms, actor: Actor): Promise<NewApiKey> =>
      transact(db, (trx) => insertApiKey(trx, clock, workspaceId, terms, actor)),
    rotate: (keyId: ApiKeyId, graceMs: number, actor: Actor): Promise<NewApiKey | undefined> =>
      transact(db, (trx) => rotateKey(trx, clock, keyId, graceMs, actor)),
    /** Gives a key a new lifetime from now. It then ends with the person who extended it, and not with its maker. */
    extend: (keyId: ApiKeyId, livesMs: number | undefined, actor: Actor): Promise<boolean> =>
      transact(db, async (trx) => {
        const old = await findKey(trx, keyId, 'lock')
        if (old === undefined || old.revoked_at !== null || isExpired(old, now())) return false
        if (await isFederated(trx, keyId)) return false
        const change = { expires_at: endAfter(clock, livesMs), created_by: makerOf(actor) }
        await endOfMaker(trx, change.created_by, now())
        await trx.updateTable('api_keys').set(change).where('key_id', '=', keyId).execute()
        await limitWhatItMade(trx, keyId, change.expires_at, now())
        const details = { expires_at: change.expires_at, created_by: old.created_by }
        const event = { workspaceId: old.workspace_id, actor, subject: keyId, details, at: now() }
        await recordEvent(trx, { ...event, action: 'key.extended' })
        return true
      }),
    revoke: (keyId: ApiKeyId, actor: Actor): Promise<boolean> =>
      transact(db, (trx) => revokeKey(trx, keyId, actor, now())),
  }
}

export const listKeys = (db: Db, workspaceId: WorkspaceId): Promise<readonly ApiKeyRow[]> =>
  shownKeys(db)
    .where('workspace_id', '=', workspaceId)
    .where('federation_id', 'is', null)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()

/** Creates a key with the same label, scopes and lifetime. The old key expires after `graceMs`, or earlier if it was going to. */
export async function rotateKey(trx: Db, clock: Clock, keyId: ApiKeyId, graceMs: number, actor: Actor) {
  const at = timestamp(clock.now())
  const old = await findKey(trx, keyId, 'lock')
  if (old === undefined || old.revoked_at !== null || isExpired(old, at)) return undefined
  if (await isFederated(trx, keyId)) return undefined
  const terms = {
    label: old.label,
    scopes: readScopes(old.scopes),
    livesMs: await lifetimeOf(trx, old),
    ...(makerOf(actor) === keyId ? { createdBy: old.created_by } : {}),
  }
  const made = await insertApiKey(trx, clock, old.workspace_id, terms, actor)
  for (const each of ['api_keys', 'federations'] as const)
    await trx.updateTable(each).set({ created_by: made.keyId }).where('created_by', '=', keyId).execute()
  await limitWhatItMade(trx, made.keyId, made.expiresAt, at)
  const end = timestamp(clock.now() + graceMs)
  const expires_at = old.expires_at !== null && old.expires_at < end ? old.expires_at : end
  await trx.updateTable('api_keys').set({ expires_at }).where('key_id', '=', keyId).execute()
  const details = { replaced_by: made.keyId, expires_at }
  const event = { workspaceId: old.workspace_id, actor, subject: keyId, details, at }
  await recordEvent(trx, { ...event, action: 'key.rotated' })
  return made
}

/**
 * Also revokes the keys and deletes the federations that it made. Takes effect at once on every node, because keys are not
 * cached. False if there is no such active key.
 */
export async function revokeKey(trx: Db, keyId: ApiKeyId, actor: Actor, at: string): Promise<boolean> {
  const old = await findKey(trx, keyId, 'lock')
  if (old === undefined || old.revoked_at !== null) return false
  await trx.updateTable('api_keys').set({ revoked_at: at }).where('key_id', '=', keyId).execute()
  const event = { workspaceId: old.workspace_id, actor, subject: keyId, at }
  await recordEvent(trx, { ...event, action: 'key.revoked' })
  await endWhatItMade(trx, keyId, event)
  return true
}

export function findKey(db: Db, keyId: ApiKeyId, lock?: 'lock'): Promise<ApiKeyRow | undefined> {
  const found = shownKeys(db).where('key_id', '=', keyId)
  return (lock === undefined ? found : found.forUpdate()).executeTakeFirst()
}

const shownKeys = (db: Db) =>
  db
    .selectFrom('api_keys')
    .select(SHOWN)
    .select((eb) =>
      eb.fn
        .coalesce(
          eb.selectFrom('members').select('email').whereRef('member_id', '=', 'api_keys.created_by'),
          eb
            .selectFrom('api_keys as maker')
            .select('maker.label')
            .whereRef('maker.key_id', '=', 'api_keys.created_by'),
          eb.selectFrom('federations').select('label').whereRef('federation_id', '=', 'api_keys.created_by'),
        )
        .as('created_by_name'),
    )

/** A token of a federation ends with it, so it is not rotated. */
async function isFederated(trx: Db, keyId: ApiKeyId): Promise<boolean> {
  const row = await trx
    .selectFrom('api_keys')
    .select('federation_id')
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return row?.federation_id != null
}

/** The original lifetime of a key in milliseconds, from the audit log, because rotation shortens `expires_at`. */
async function lifetimeOf(trx: Db, key: ApiKeyRow): Promise<number | undefined> {
  if (key.expires_at === null) return undefined
  const made = await trx
    .selectFrom('audit_events')
    .select(['details', 'at'])
    .where('workspace_id', '=', key.workspace_id)
    .where('subject', '=', key.key_id)
    .where('action', 'in', ['key.created', 'key.extended'])
    // For the index of subjects.
    .where('action', '<>', sql.lit('job.created'))
    .orderBy('sequence', 'desc')
    .executeTakeFirst()
  const { expires_at } =
    made === undefined ? key : (JSON.parse(made.details) as Pick<ApiKeyRow, 'expires_at'>)
  return expires_at === null ? undefined : Date.parse(expires_at) - Date.parse(made?.at ?? key.created_at)
}

const endAfter = (clock: Clock, livesMs: number | undefined): string | null =>
  livesMs === undefined ? null : timestamp(clock.now() + livesMs)

const isExpired = (key: Pick<ApiKeyRow, 'expires_at'>, now: string): boolean =>
  key.expires_at !== null && key.expires_at <= now

interface InsertedApiKey extends NewApiKey {
  readonly expiresAt: string | null
}

/** The key ends with its maker, or before. */
export async function insertApiKey(
  trx: Db,
  clock: Clock,
  workspaceId: WorkspaceId,
  terms: KeyTerms,
  actor: Actor,
): Promise<InsertedApiKey> {
  const made = makeApiKey()
  const at = timestamp(clock.now())
  const scopes = writeScopes(terms.scopes ?? SCOPES)
  const maker = terms.federationId ?? makerOf(actor)
  const expires_at = earlier(endAfter(clock, terms.livesMs), await endOfMaker(trx, maker, at))
  await trx
    .insertInto('api_keys')
    .values({
      key_id: made.keyId,
      workspace_id: workspaceId,
      sha256: made.sha256,
      label: terms.label,
      scopes,
      federation_id: terms.federationId ?? null,
      ci_claims: terms.ciClaims === undefined ? null : JSON.stringify(terms.ciClaims),
      created_by: terms.createdBy === undefined ? maker : terms.createdBy,
      created_at: at,
      expires_at,
      revoked_at: null,
      last_used_at: null,
    })
    .execute()
  const by = terms.federationId === undefined ? {} : { federation_id: terms.federationId }
  const details = { label: terms.label, scopes, expires_at, ...by }
  await recordEvent(trx, { workspaceId, actor, action: 'key.created', subject: made.keyId, details, at })
  return { ...made, expiresAt: expires_at }
}

type KeyLookup = PlanRow &
  Pick<
    ApiKeysTable,
    'key_id' | 'workspace_id' | 'sha256' | 'scopes' | 'expires_at' | 'revoked_at' | 'label'
  > & { readonly ci_claims?: string | null | undefined }

/** Queries the database on every request, so that revocation takes effect at once. Calls `used` for each valid key. */
export function authenticateKeys(db: Db, clock: Clock, used: (keyId: ApiKeyId) => void): Authenticate {
  const find = preparedFirst(db, (param: Param<{ id: ApiKeyId }>) => keyQuery(db, param('id')))
  const lookUp = constantTimeLookup<ApiKeyId, KeyLookup>((id) => find({ id }))
  return async (text, userAgent) => {
    const keyId = readApiKey(text)
    if (keyId === undefined) return undefined
    const row = await lookUp.find(keyId)
    // Unknown keys and wrong secrets take the same time.
    const same = isSame(row?.sha256 ?? NO_KEY_SHA256, apiKeyHash(text))
    const over = isExpired(row ?? { expires_at: null }, timestamp(clock.now()))
    if (row === undefined || !same || row.revoked_at !== null || over) {
      await lookUp.equalizeTime(row)
      return undefined
    }
    used(keyId)
    const actor = { is: 'key', keyId } as const
    const scopes = readScopes(row.scopes)
    const ci = row.ci_claims == null ? null : (JSON.parse(row.ci_claims) as CiClaims)
    const key = { label: row.label, ci, userAgent }
    return { is: 'workspace', workspaceId: row.workspace_id, actor, plan: planOf(row), scopes, key }
  }
}

const keyQuery = (db: Db, id: ApiKeyId) =>
  db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'api_keys.workspace_id')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select(['api_keys.key_id', 'api_keys.workspace_id', 'api_keys.sha256'])
    .select(['api_keys.scopes', 'api_keys.expires_at', 'api_keys.revoked_at'])
    .select(['api_keys.label', 'api_keys.ci_claims'])
    .select(PLAN_COLUMNS)
    .where('api_keys.key_id', '=', id)

const NO_KEY_SHA256 = '0'.repeat(64)

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export const watchKeyUse = (db: Db, clock: Clock, log: EventLog): LastUse<ApiKeyId> =>
  watchLastUse<ApiKeyId>(clock, log, { what: 'API keys', everyMs: 10_000 }, (uses) =>
    transact(db, async (trx) => {
      for (const [keyId, last_used_at] of uses)
        await trx.updateTable('api_keys').set({ last_used_at }).where('key_id', '=', keyId).execute()
    }),
  )

/** A new key, which is shown once. Letters, digits and underscores, so that a double click selects all of it. */
export interface NewApiKey {
  readonly keyId: ApiKeyId
  /** `ks_` + key ID + `_` + 256 random bits + check characters. */
  readonly text: string
  readonly sha256: string
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 22
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const KEY = new RegExp(
  `^ks_(key_[0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}([0-9A-Za-z]{${CHECK_LENGTH}})$`,
)

export function makeApiKey(random: (size: number) => Uint8Array = randomBytes): NewApiKey {
  const keyId = `key_${base62(random(16), ID_LENGTH)}` as ApiKeyId
  const body = `ks_${keyId}_${base62(random(32), SECRET_LENGTH)}`
  const text = body + checksum(body)
  return { keyId, text, sha256: apiKeyHash(text) }
}

/** The ID in an API key. Undefined if the text is malformed, which avoids a query for typos. */
export function readApiKey(text: string): ApiKeyId | undefined {
  const [, keyId, check] = KEY.exec(text) ?? []
  return keyId !== undefined && check === checksum(text.slice(0, -CHECK_LENGTH))
    ? (keyId as ApiKeyId)
    : undefined
}

/** With 256 random bits, a key needs neither salt nor a slow hash. */
export function apiKeyHash(text: string): string {
  return hash('sha256', text, 'hex')
}

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let at = 0; at < length; at += 1) {
    text = DIGITS.charAt(Number(value % 62n)) + text
    value /= 62n
  }
  return text
}

/** Computed for each request, so it avoids BigInt. */
function checksum(body: string): string {
  let value = crc32(body)
  let text = ''
  for (let at = 0; at < CHECK_LENGTH; at += 1) {
    text = DIGITS.charAt(value % 62) + text
    value = Math.floor(value / 62)
  }
  return text
}
