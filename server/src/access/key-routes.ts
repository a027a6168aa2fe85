import { BOUNDARY } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import type { Reader, Unit } from '../database/unit.ts'
import { type Caller, workspaceOf, DEFAULT_SCOPES, readScopes, type Scope, SCOPES } from '../http/caller.ts'
import { type Answer, answer, body, list, member, resource } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Boundary, Named, NullableString, LABEL, OneOf, OptionalOrNull } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ApiKeyId } from '../runtime/identifiers.ts'
import {
  type ApiKeyRow,
  apiKeyTable,
  findKey,
  insertApiKey,
  listKeys,
  revokeKey,
  rotateKey,
} from './api-keys.ts'
import { requireScopes } from './may-call.ts'

const HOUR_MS = 3_600_000
const GRACE_HOURS = 24
const BODY_LIMIT_BYTES = 4096

export const Scopes = (description: string) =>
  Type.Unsafe<readonly Scope[]>({
    type: 'array',
    items: { type: 'string', enum: [...SCOPES] },
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description,
  })

type Shown = ReturnType<typeof apiKeyTable.decode> & {
  readonly created_by_name: string | null
  readonly status: 'active' | 'ending' | 'expired' | 'revoked'
}

const ApiKey = resource('ApiKey', 'An API key, without its secret.', apiKeyTable, {
  without: ['sha256', 'scopes', 'federation_id', 'ci_claims'],
  and: {
    scopes: member(Scopes('What the key may do.'), ({ scopes }: Shown) => readScopes(scopes)),
    created_by_name: NullableString(
      'The email address of the member, or the label of the key or federation.',
    ),
    status: OneOf(['active', 'ending', 'expired', 'revoked'], '`ending`: it works, and has an expiry.'),
  },
})

const NOTICE =
  'This request was a repetition, so the secret is not shown again. If the first response is lost, revoke this key and create another.'

/** The secret is not stored, so a retry gets a notice instead. */
const CreatedApiKey: Answer<{ readonly key: Shown; readonly text: string }> = {
  schema: Named('CreatedApiKey', 'A new API key, with its secret.', {
    key: ApiKey.item,
    api_key: NullableString('The secret. Null in the response to a retry.'),
    notice: Type.Optional(
      Type.String({ description: 'Only in the response to a retry: why there is no secret.' }),
    ),
    boundary: Boundary(),
  }),
  parts: [ApiKey.schema],
  show: ({ key, text }, isFirst) => ({
    key: ApiKey.showItem(key),
    ...(isFirst ? { api_key: text } : { api_key: null, notice: NOTICE }),
    boundary: BOUNDARY,
  }),
}

const RotatedApiKey = answer<{ readonly key: Shown; readonly text: string; readonly replaced: Shown }>(
  'RotatedApiKey',
  'The new key with its secret, and the key that it replaces.',
  {
    key: ApiKey.item,
    api_key: Type.String({ description: 'The key itself. Shown only now: it is not stored.' }),
    replaced: ApiKey.item,
    boundary: Boundary(),
  },
  ({ key, text, replaced }) => ({
    key: ApiKey.showItem(key),
    api_key: text,
    replaced: ApiKey.showItem(replaced),
    boundary: BOUNDARY,
  }),
)

const ApiKeyRequest = body(
  'ApiKeyRequest',
  {
    label: Type.String({ ...LABEL, description: 'One line of text, such as the program that uses the key.' }),
    scopes: Type.Optional(
      Type.Unsafe<readonly Scope[]>({
        ...Scopes('What the key may do. A key cannot create one with scopes that it does not have.'),
        default: [...DEFAULT_SCOPES],
      }),
    ),
    expires_days: OptionalOrNull(
      Type.Integer({ minimum: 1, maximum: 36_500 }),
      'Lifetime in days. Without it, the key does not expire. A key that another key creates expires no later than that one.',
    ),
  },
  'The body of a new API key.',
)
const KeyRotation = body('KeyRotation', {
  grace_hours: OptionalOrNull(
    Type.Integer({ minimum: 0, maximum: 8760 }),
    `Hours until the old key expires. Default: ${GRACE_HOURS}.`,
  ),
})

export const KEY_ACCESS = { scope: 'admin', role: 'owner' } as const
interface WithClock {
  readonly clock: Clock
}

/** The API keys of a workspace. */
export const keyRoutes = [
  route('listApiKeys', 'GET /v1/keys', {
    access: KEY_ACCESS,
    summary: 'List API keys',
    description: 'Also those that are expired or revoked. Secrets are not shown.',
    returns: list('ApiKeyList', 'Newest first.', ApiKey),
    async read(reader) {
      const rows = await listKeys(reader.db, reader.workspaceId)
      return rows.toReversed().map((row) => shown(reader, row))
    },
  }),
  route('createApiKey', 'POST /v1/keys', {
    access: KEY_ACCESS,
    bodyLimit: BODY_LIMIT_BYTES,
    isSecret: true,
    summary: 'Create an API key',
    description:
      'The first response has the secret, and nothing else ever does. Made by an API key, the new key expires and is revoked with it, unless a person extends it.',
    once: 'A retry with the same key within 24 hours creates no second API key. Its response has `api_key: null` and a `notice`, because the secret is not stored.',
    body: ApiKeyRequest,
    example: { label: 'nightly upload', scopes: ['submit', 'read'], expires_days: 90 },
    returns: CreatedApiKey,
    async handle(unit, { body: asked, caller }, { clock }: WithClock) {
      const { label, scopes = DEFAULT_SCOPES, expires_days: days } = asked
      requireScopes(caller, scopes)
      const terms = { label, scopes, livesMs: days == null ? undefined : days * 24 * HOUR_MS }
      const made = await insertApiKey(unit.db, clock, unit.workspaceId, terms, workspaceOf(caller).actor)
      return { key: shown(unit, await own(unit, made.keyId)), text: made.text }
    },
  }),
  route('rotateApiKey', 'POST /v1/keys/:key_id/rotate', {
    access: KEY_ACCESS,
    bodyLimit: BODY_LIMIT_BYTES,
    isSecret: true,
    status: 201,
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same label, scopes and lifetime. The old key works until the grace period ends. Rotated by an API key, it expires no later than that key.',
    body: KeyRotation,
    example: { grace_hours: 24 },
    returns: RotatedApiKey,
    async handle(unit, { params, body: { grace_hours: hours }, caller }, { clock }: WithClock) {
      const old = await own(unit, params.key_id)
      requireScopes(caller, readScopes(old.scopes))
      const graceMs = (hours ?? GRACE_HOURS) * HOUR_MS
      const made = await rotateKey(unit.db, clock, old.key_id, graceMs, actorOf(caller))
      if (made === undefined) throw keyNotFound()
      const [key, replaced] = [await own(unit, made.keyId), await own(unit, old.key_id)]
      return { key: shown(unit, key), text: made.text, replaced: shown(unit, replaced) }
    },
  }),
  route('revokeApiKey', 'DELETE /v1/keys/:key_id', {
    access: KEY_ACCESS,
    summary: 'Revoke an API key',
    description:
      'Also revokes the keys and deletes the federations that it made. Takes effect with the next request, on every node. A revoked key stays in the list.',
    async handle(unit: Unit, { params, caller }) {
      const { key_id } = await own(unit, params.key_id)
      if (!(await revokeKey(unit.db, key_id, actorOf(caller), unit.at))) throw keyNotFound()
    },
  }),
]

const actorOf = (caller: Caller) => workspaceOf(caller).actor

/** A key of another workspace is reported as not found. */
async function own(reader: Reader, id: string): Promise<ApiKeyRow> {
  const row = await findKey(reader.db, id as ApiKeyId)
  if (row?.workspace_id !== reader.workspaceId) throw keyNotFound()
  return row
}

const shown = (reader: Reader, row: ApiKeyRow): Shown => ({
  ...apiKeyTable.decode({ ...row }, reader.cipher),
  created_by_name: row.created_by_name,
  status: statusOf(row, reader.at),
})

function statusOf({ revoked_at, expires_at }: ApiKeyRow, now: string): Shown['status'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return expires_at <= now ? 'expired' : 'ending'
}

export const keyNotFound = (): Refusal => new Refusal(...apiKeyTable.more.missing)
