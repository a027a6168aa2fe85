import { type Clock, timestamp } from '../runtime/clock.ts'
import { Type } from 'typebox'
import { column, type StoredRow, table } from '../database/table.ts'
import { ANY_ORIGIN } from '../http/headers.ts'
import { route, type Service } from '../http/route.ts'
import { takeLock } from '../database/dialect.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type KeyProvider, openKey, type Signer } from '../keys/signer.ts'
import { once } from '../runtime/promises.ts'

/** The Ed25519 key that signs webhooks. It signs no kits. */
export const webhookKeys = table('webhook_keys', {
  kid: column.text(),
  x: column.text(),
  reference: column.text(),
  provider: column.text<KeyProvider['name']>(),
  created_at: column.created(),
}).primaryKey('kid')

declare module '../database/schema.ts' {
  interface Database {
    readonly webhook_keys: StoredRow<typeof webhookKeys>
  }
}

export type WebhookKey = ReturnType<typeof webhookKey>

/** The Ed25519 key that signs webhooks. It is not in the key set of kits: a webhook is no receipt. */
export function webhookKey(db: Db, providers: readonly [KeyProvider, ...KeyProvider[]], clock: Clock) {
  const open = async (): Promise<Signer> =>
    openKey(providers, (await read(db)) ?? (await create()), 'the key of webhooks')
  const create = async () => {
    const [provider] = providers
    const key = await provider.create()
    const row = { ...key, provider: provider.name, created_at: timestamp(clock.now()) }
    const kept = await transact(db, async (trx) => {
      await takeLock(trx, 'webhooks')
      const other = await read(trx)
      if (other !== undefined) return other
      await trx.insertInto('webhook_keys').values(row).execute()
      return row
    })
    if (kept.kid !== key.kid) await provider.destroy(key.reference)
    return kept
  }
  return {
    /** Creates the key if there is none. */
    signer: once(open),
  }
}

const read = (db: Db) => db.selectFrom('webhook_keys').selectAll().executeTakeFirst()

export const webhookKeyRoutes = [
  route('getWebhookKeys', 'GET /.well-known/webhook-keys.json', {
    summary: 'The public key of webhooks',
    description: 'A JWKS with the Ed25519 key that makes the signature `v1a`. It signs no receipts.',
    group: 'Keys',
    responses: { 200: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }) },
    async send({ webhookKey: key }: Service & { readonly webhookKey: WebhookKey }, _call, reply) {
      const { kid, x } = await key.signer()
      reply.headers({ 'cache-control': 'public, max-age=300', ...ANY_ORIGIN })
      return reply.send({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig', alg: 'EdDSA' }] })
    },
  }),
]
