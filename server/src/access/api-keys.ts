import { BOUNDARY, type CiClaims } from '@kitseal/kit/internal'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../database/schema.ts'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { DEFAULT_SCOPES, readScopes, type Scope, SCOPES, writeScopes } from '../http/caller.ts'
import { type Answer, answer, body, list, member, resource } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Boundary, Named, NullableString, LABEL, OneOf, OptionalOrNull } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { ApiKeyId, FederationId } from '../runtime/identifiers.ts'
import { makeApiKey, type NewApiKey } from './authenticate-key.ts'
import { earlier, endOfMaker, endWhatItMade, limitWhatItMade, makerOf } from './makers.ts'
import { requireScopes } from './may-call.ts'

/** A secret that lets a program act for a workspace. The secret itself is not stored. */
export const apiKeys = table('api_keys', {
  key_id: column.text<ApiKeyId>(),
  workspace_id: column.owner(),
  /** Of the whole key, hex. */
  sha256: column.text(),
  label: column.text(LABEL),
  /** Separated by spaces. */
  scopes: column.text().default(SCOPES.join(' ')),
  /** Of a token that was exchanged for the token of a CI system. It ends with the federation, so nobody rotates or extends it. */
  federation_id: column.text<FederationId>().nullable(),
  /** What that token said. */
  ci_claims: column.json(Type.Unsafe<CiClaims>({})).nullable(),
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
    readonly api_keys: StoredRow<typeof apiKeys>
  }
}

type ApiKeyRow = RowOf<typeof apiKeys>

type Shown = ApiKeyRow & {
  readonly created_by_name: string | null
  readonly status: 'active' | 'ending' | 'expired' | 'revoked'
}

export const Scopes = (description: string) =>
  Type.Unsafe<readonly Scope[]>({
    type: 'array',
    items: { type: 'string', enum: [...SCOPES] },
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description,
  })
/** Of a request, which may leave them out. */
export const ScopesAsked = (description: string) =>
  Type.Optional(Type.Unsafe<readonly Scope[]>({ ...Scopes(description), default: [...DEFAULT_SCOPES] }))

const ApiKey = resource('ApiKey', 'An API key, without its secret.', apiKeys, {
  without: ['sha256', 'scopes', 'federation_id', 'ci_claims'],
  and: {
    scopes: member(Scopes('What the key may do.'), ({ scopes }: Shown) => readScopes(scopes)),
    created_by_name: NullableString(
      'The email address of the member, or the label of the key or federation.',
    ),
    status: OneOf(['active', 'ending', 'expired', 'revoked'], '`ending`: it works, and has an expiry.'),
  },
})

interface Made {
  readonly key: Shown
  readonly text: string
}

const NOTICE =
  'This request was a repetition, so the secret is not shown again. If the first response is lost, revoke this key and create another.'

/** The secret is not stored, so a retry gets a notice instead. */
const CreatedApiKey: Answer<Made> = {
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

const RotatedApiKey = answer(
  'RotatedApiKey',
  'The new key with its secret, and the key that it replaces.',
  {
    key: ApiKey.item,
    api_key: Type.String({ description: 'The key itself. Shown only now: it is not stored.' }),
    replaced: ApiKey.item,
    boundary: Boundary(),
  },
  ({ key, text, replaced }: Made & { readonly replaced: Shown }) => ({
    key: ApiKey.showItem(key),
    api_key: text,
    replaced: ApiKey.showItem(replaced),
    boundary: BOUNDARY,
  }),
)

const HOUR_MS = 3_600_000
const GRACE_HOURS = 24
const ApiKeyRequest = body(
  'ApiKeyRequest',
  {
    label: Type.String({ ...LABEL, description: 'One line of text, such as the program that uses the key.' }),
    scopes: ScopesAsked('What the key may do. A key cannot create one with scopes that it does not have.'),
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
const withSecret = { access: KEY_ACCESS, bodyLimit: 4096, isSecret: true } as const

/** The API keys of a workspace. */
export const keyRoutes = [
  route('listApiKeys', 'GET /v1/keys', {
    access: KEY_ACCESS,
    summary: 'List API keys',
    description: 'Also those that are expired or revoked. Secrets are not shown.',
    returns: list('ApiKeyList', 'Newest first.', ApiKey),
    read: async (reader) => (await listKeys(reader)).toReversed(),
  }),
  route('createApiKey', 'POST /v1/keys', {
    ...withSecret,
    summary: 'Create an API key',
    description:
      'The first response has the secret, and nothing else ever does. Made by an API key, the new key expires and is revoked with it, unless a person extends it.',
    once: 'A retry with the same key within 24 hours creates no second API key. Its response has `api_key: null` and a `notice`, because the secret is not stored.',
    body: ApiKeyRequest,
    example: { label: 'nightly upload', scopes: ['submit', 'read'], expires_days: 90 },
    returns: CreatedApiKey,
    async handle(unit, { body: { label, scopes = DEFAULT_SCOPES, expires_days: days }, caller }) {
      requireScopes(caller, scopes)
      const livesMs = days == null ? undefined : days * 24 * HOUR_MS
      const { keyId, text } = await createKey(unit, { label, scopes, livesMs })
      return { key: await findKey(unit, keyId), text }
    },
  }),
  route('rotateApiKey', 'POST /v1/keys/:key_id/rotate', {
    ...withSecret,
    status: 201,
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same label, scopes and lifetime. The old key works until the grace period ends. Rotated by an API key, it expires no later than that key.',
    body: KeyRotation,
    example: { grace_hours: 24 },
    returns: RotatedApiKey,
    async handle(unit, { params, body: { grace_hours: hours }, caller }) {
      const { key_id, scopes } = await findKey(unit, params.key_id)
      requireScopes(caller, readScopes(scopes))
      const { keyId, text } = await rotateKey(unit, key_id, (hours ?? GRACE_HOURS) * HOUR_MS)
      return { key: await findKey(unit, keyId), text, replaced: await findKey(unit, key_id) }
    },
  }),
  route('revokeApiKey', 'DELETE /v1/keys/:key_id', {
    access: KEY_ACCESS,
    summary: 'Revoke an API key',
    description:
      'Also revokes the keys and deletes the federations that it made. Takes effect with the next request, on every node. A revoked key stays in the list.',
    handle: (unit, { params }) => revokeKey(unit, params.key_id),
  }),
]

/** Without the tokens of CI systems, oldest first. */
export async function listKeys(reader: Reader): Promise<readonly Shown[]> {
  const rows = await withMakers(reader)
    .where('federation_id', 'is', null)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
  return rows.map((row) => shown(reader, row))
}

/** A key of another workspace is reported as not found. */
export async function findKey(reader: Reader, id: string): Promise<Shown> {
  const row = await withMakers(reader)
    .where('key_id', '=', id as ApiKeyId)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal(...apiKeys.more.missing)
  return shown(reader, row)
}

const withMakers = ({ db, workspaceId }: Reader) =>
  db
    .selectFrom('api_keys')
    .selectAll('api_keys')
    .select(({ fn, selectFrom }) =>
      fn
        .coalesce(
          selectFrom('members').select('email').whereRef('member_id', '=', 'api_keys.created_by'),
          selectFrom('api_keys as maker')
            .select('maker.label')
            .whereRef('maker.key_id', '=', 'api_keys.created_by'),
          selectFrom('federations').select('label').whereRef('federation_id', '=', 'api_keys.created_by'),
        )
        .as('created_by_name'),
    )
    .where('workspace_id', '=', workspaceId)

type Found = Awaited<ReturnType<ReturnType<typeof withMakers>['execute']>>[number]

function shown({ cipher, at }: Reader, { created_by_name, ...stored }: Found): Shown {
  const row = apiKeys.decode(stored, cipher)
  return { ...row, created_by_name, status: statusOf(row, at) }
}

function statusOf({ revoked_at, expires_at }: ApiKeyRow, now: string): Shown['status'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return expires_at <= now ? 'expired' : 'ending'
}

export interface KeyTerms {
  readonly label: string
  /** Undefined: every scope. */
  readonly scopes?: readonly Scope[] | undefined
  /** Lifetime from now. Undefined: does not expire. */
  readonly livesMs?: number | undefined
  /** Of a token that was exchanged for the token of a CI system. */
  readonly federation_id?: FederationId
  readonly ci_claims?: CiClaims
  /** Of a key that replaces itself. */
  readonly created_by?: string | null
}

/** The key ends with its maker, or before. */
export async function createKey(unit: Unit, { livesMs, ...terms }: KeyTerms) {
  const { keyId: key_id, text, sha256 } = makeApiKey()
  const scopes = writeScopes(terms.scopes ?? SCOPES)
  const { label, federation_id } = terms
  const created_by = federation_id ?? makerOf(unit.acting.actor)
  const expires_at = earlier(endAfter(unit, livesMs), await endOfMaker(unit, created_by))
  await unit.insert(apiKeys, { created_by, ...terms, key_id, sha256, scopes, expires_at })
  await unit.record('key.created', key_id, {
    label,
    scopes,
    expires_at,
    ...(federation_id !== undefined && { federation_id }),
  })
  return { keyId: key_id, text, expiresAt: expires_at } satisfies NewApiKey
}

/** Creates a key with the same label, scopes and lifetime. The old key expires after `graceMs`, or earlier if it was going to. */
export async function rotateKey(unit: Unit, id: string, graceMs: number): Promise<NewApiKey> {
  const old = await activeKey(unit, id)
  const { key_id, label, created_by } = old
  const scopes = readScopes(old.scopes)
  const livesMs = await lifetimeOf(unit, old)
  const isByItself = makerOf(unit.acting.actor) === key_id
  const made = await createKey(unit, { label, scopes, livesMs, ...(isByItself && { created_by }) })
  for (const each of ['api_keys', 'federations'] as const)
    await unit.db.updateTable(each).set({ created_by: made.keyId }).where('created_by', '=', key_id).execute()
  await limitWhatItMade(unit, made.keyId, made.expiresAt)
  const expires_at = earlier(old.expires_at, unit.after(graceMs))
  await unit.update(apiKeys, key_id, { expires_at })
  await unit.record('key.rotated', key_id, { replaced_by: made.keyId, expires_at })
  return made
}

/** Gives a key a new lifetime from now. It then ends with the person who extended it, and not with its maker. */
export async function extendKey(unit: Unit, id: string, livesMs: number | undefined): Promise<void> {
  const { key_id, created_by: before } = await activeKey(unit, id)
  const created_by = makerOf(unit.acting.actor)
  await endOfMaker(unit, created_by)
  const expires_at = endAfter(unit, livesMs)
  await unit.update(apiKeys, key_id, { expires_at, created_by })
  await limitWhatItMade(unit, key_id, expires_at)
  await unit.record('key.extended', key_id, { expires_at, created_by: before })
}

/** Also ends what it made. Takes effect at once on every node, because keys are not cached. */
export async function revokeKey(unit: Unit, id: string): Promise<void> {
  const { key_id, revoked_at } = await unit.own(apiKeys).lock(id)
  if (revoked_at !== null) throw new Refusal(...apiKeys.more.missing)
  await unit.update(apiKeys, key_id, { revoked_at: unit.at })
  await unit.record('key.revoked', key_id)
  await endWhatItMade(unit, key_id)
}

async function activeKey(unit: Unit, id: string): Promise<ApiKeyRow> {
  const key = await unit.own(apiKeys).lock(id)
  const isOver = key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= unit.at)
  if (isOver || key.federation_id !== null) throw new Refusal(...apiKeys.more.missing)
  return key
}

/** The original lifetime of a key in milliseconds, from the audit log, because rotation shortens `expires_at`. */
async function lifetimeOf({ db }: Unit, key: ApiKeyRow): Promise<number | undefined> {
  if (key.expires_at === null) return undefined
  const { details, at } = await db
    .selectFrom('audit_events')
    .select(['details', 'at'])
    .where('workspace_id', '=', key.workspace_id)
    .where('subject', '=', key.key_id)
    .where('action', 'in', ['key.created', 'key.extended'])
    // For the index of subjects.
    .where('action', '<>', sql.lit('job.created'))
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow()
  const { expires_at } = JSON.parse(details) as Pick<ApiKeyRow, 'expires_at'>
  return expires_at === null ? undefined : Date.parse(expires_at) - Date.parse(at)
}

const endAfter = (unit: Unit, livesMs: number | undefined): string | null =>
  livesMs === undefined ? null : unit.after(livesMs)

/** Neither revoked nor expired. */
export async function isKeyActive(db: Db, keyId: ApiKeyId, now: string): Promise<boolean> {
  const found = db.selectFrom('api_keys').select(['revoked_at', 'expires_at']).where('key_id', '=', keyId)
  const key = await found.executeTakeFirst()
  return key?.revoked_at === null && (key.expires_at === null || key.expires_at > now)
}
