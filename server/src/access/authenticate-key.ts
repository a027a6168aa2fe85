import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { CiClaims } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import { constantTimeLookup } from '../database/secret.ts'
import { type Param, preparedFirst } from '../database/statements.ts'
import { type Authenticate, readScopes } from '../http/caller.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { ApiKeyId } from '../runtime/identifiers.ts'
import { PLAN_COLUMNS, planOf } from './plans.ts'

/** Queries the database on every request, so that revocation takes effect at once. Calls `used` for each valid key. */
export function authenticateKeys(db: Db, clock: Clock, used: (keyId: ApiKeyId) => void): Authenticate {
  const find = preparedFirst(db, (param: Param<{ id: ApiKeyId }>) => keyQuery(db, param('id')))
  const lookUp = constantTimeLookup((id: ApiKeyId) => find({ id }))
  return async (text, userAgent) => {
    const keyId = readApiKey(text)
    if (keyId === undefined) return undefined
    const row = await lookUp.find(keyId)
    // Unknown keys and wrong secrets take the same time.
    const isSame = timingSafeEqual(Buffer.from(row?.sha256 ?? NO_KEY_SHA256), Buffer.from(apiKeyHash(text)))
    const isOver = (row?.expires_at ?? '9') <= timestamp(clock.now())
    if (row === undefined || !isSame || row.revoked_at !== null || isOver) {
      await lookUp.equalizeTime(row)
      return undefined
    }
    used(keyId)
    const { workspace_id: workspaceId, label, expires_at: expiresAt } = row
    const ci = row.ci_claims === null ? null : (JSON.parse(row.ci_claims) as CiClaims)
    return {
      is: 'workspace',
      workspaceId,
      actor: { is: 'key', keyId },
      plan: planOf(row),
      scopes: readScopes(row.scopes),
      key: { label, ci, userAgent, expiresAt },
    }
  }
}

const keyQuery = (db: Db, id: ApiKeyId) =>
  db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'api_keys.workspace_id')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select(['api_keys.key_id', 'api_keys.workspace_id', 'api_keys.sha256', 'api_keys.label'])
    .select(['api_keys.scopes', 'api_keys.expires_at', 'api_keys.revoked_at', 'api_keys.ci_claims'])
    .select(PLAN_COLUMNS)
    .where('api_keys.key_id', '=', id)

const NO_KEY_SHA256 = '0'.repeat(64)

/** A new key, which is shown once. */
export interface NewApiKey {
  readonly keyId: ApiKeyId
  readonly text: string
  readonly expiresAt: string | null
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 22
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const KEY = new RegExp(
  `^ks_(key_[0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}([0-9A-Za-z]{${CHECK_LENGTH}})$`,
)

/**
 * `ks_` + key ID + `_` + 256 random bits + check characters. Letters, digits and underscores, so that a double click selects
 * all of it.
 */
export function makeApiKey(random: (size: number) => Uint8Array = randomBytes) {
  const keyId = `key_${base62(random(16), ID_LENGTH)}` as ApiKeyId
  const body = `ks_${keyId}_${base62(random(32), SECRET_LENGTH)}`
  const text = body + checksum(body)
  return { keyId, text, sha256: apiKeyHash(text) }
}

/** The ID in an API key. Undefined if the text is malformed, which avoids a query for typos. */
export function readApiKey(text: string): ApiKeyId | undefined {
  const [, keyId, check] = KEY.exec(text) ?? []
  return check === checksum(text.slice(0, -CHECK_LENGTH)) ? (keyId as ApiKeyId) : undefined
}

/** With 256 random bits, a key needs neither salt nor a slow hash. */
export const apiKeyHash = (text: string): string => hash('sha256', text, 'hex')

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
