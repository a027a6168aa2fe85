import type { DeliveriesTable } from '../database/delivery-schema.ts'
import type { Db } from '../database/schema.ts'
import type { WebhooksTable } from '../database/webhook-schema.ts'
import { isSealed, type SecretsAtRest } from '../keys/secrets-at-rest.ts'

export const rowOfWebhook = ({ webhook_id }: Pick<WebhooksTable, 'webhook_id'>): string =>
  `webhooks ${webhook_id}`
export const rowOfMail = ({ dedupe }: Pick<DeliveriesTable, 'dedupe'>): string => `deliveries mail ${dedupe}`

/** Encrypts what was stored before there was a passphrase, or with the previous one. Runs at each start; a row that changes meanwhile is left to the next. */
export async function sealStored(db: Db, secrets: SecretsAtRest): Promise<void> {
  if (!secrets.isOn) return
  /** What cannot be opened stays as it is. */
  const seal = async (stored: string | null, row: string): Promise<string | null> => {
    if (stored === null || (isSealed(stored) && !secrets.hasPrevious)) return stored
    const text = await secrets.open(stored, row)
    return text === undefined ? stored : secrets.seal(text, row)
  }
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['webhook_id', 'secret', 'previous_secret'])
    .$if(!secrets.hasPrevious, (all) =>
      all.where((eb) => eb.or([eb('secret', 'like', 'whsec%'), eb('previous_secret', 'like', 'whsec%')])),
    )
    .execute()
  for (const webhook of webhooks) {
    const row = rowOfWebhook(webhook)
    const previous_secret = await seal(webhook.previous_secret, row)
    await db
      .updateTable('webhooks')
      .set({ secret: (await seal(webhook.secret, row)) ?? '', previous_secret })
      .where('webhook_id', '=', webhook.webhook_id)
      .where('secret', '=', webhook.secret)
      .execute()
  }
  const mails = await db
    .selectFrom('deliveries')
    .select(['delivery_id', 'dedupe', 'payload'])
    .where('channel', '=', 'mail')
    .where('state', '=', 'pending')
    .$if(!secrets.hasPrevious, (all) => all.where('payload', 'not like', '{"sealed":%'))
    .execute()
  for (const { delivery_id, dedupe, payload } of mails)
    await db
      .updateTable('deliveries')
      .set({ payload: JSON.stringify({ sealed: await seal(sealedIn(payload), rowOfMail({ dedupe })) }) })
      .where('delivery_id', '=', delivery_id)
      .where('state', '=', 'pending')
      .execute()
}

/** The encrypted text of a payload; a payload that is not encrypted, as it is. */
const sealedIn = (payload: string | null): string | null =>
  payload?.startsWith('{"sealed":') === true ? (JSON.parse(payload) as { sealed: string }).sealed : payload
