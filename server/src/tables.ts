import { apiKeyTable } from './access/api-keys.ts'
import { federations } from './access/federations.ts'
import type { Table } from './database/table.ts'
import { remarks } from './sharing/remarks.ts'
import { shareAccesses } from './sharing/record-access.ts'
import { shareKits, shares } from './sharing/share.ts'
import { mails } from './deliveries/mail.ts'
import { webhookKeys } from './deliveries/webhook-key.ts'
import { webhookAttempts, webhooks } from './deliveries/webhooks.ts'

/** The tables that nouns declare. */
export const DECLARED: readonly Table[] = [
  webhooks,
  webhookAttempts,
  webhookKeys,
  mails,
  shares,
  shareKits,
  shareAccesses,
  remarks,
  apiKeyTable,
  federations,
]
