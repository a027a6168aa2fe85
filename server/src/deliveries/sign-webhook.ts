import { createHmac, randomBytes } from 'node:crypto'
import type { Signer } from '../keys/signer.ts'

const PREFIX = 'whsec_'

/** A secret of 256 bits, as Standard Webhooks writes it. */
export const makeWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

export interface SignedWebhook {
  readonly id: string
  readonly timestampMs: number
  readonly body: string
}

/** The headers of Standard Webhooks: HMAC with each valid secret (`v1`), and Ed25519 (`v1a`). */
export async function webhookHeaders(
  { id, timestampMs, body }: SignedWebhook,
  secrets: readonly string[],
  signer: Signer,
): Promise<Readonly<Record<string, string>>> {
  const seconds = Math.floor(timestampMs / 1000)
  const signed = `${id}.${seconds}.${body}`
  const ed25519 = Buffer.from(await signer.sign(Buffer.from(signed))).toString('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'kitseal-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': [...secrets.map((each) => `v1,${hmac(each, signed)}`), `v1a,${ed25519}`].join(' '),
  }
}

const hmac = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(signed)
    .digest('base64')
