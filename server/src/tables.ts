import { apiKeys } from './access/api-keys.ts'
import { federations } from './access/federations.ts'
import type { Table } from './database/table.ts'
import { mails } from './deliveries/mail.ts'
import { programs } from './requests/program.ts'
import { remarks } from './requests/remarks.ts'
import { requestItems, requestRounds, requests } from './requests/request.ts'
import { shareAccesses } from './shares/record-access.ts'
import { shareKits, shares } from './shares/share.ts'
import { webhookKeys } from './deliveries/webhook-key.ts'
import { webhookAttempts, webhooks } from './deliveries/webhooks.ts'
import { resumableUploads } from './submissions/resumable-uploads.ts'

/** The tables that nouns declare. */
export const DECLARED: readonly Table[] = [
  webhooks,
  webhookAttempts,
  webhookKeys,
  mails,
  shares,
  shareKits,
  shareAccesses,
  programs,
  requests,
  requestItems,
  requestRounds,
  remarks,
  apiKeys,
  federations,
  resumableUploads,
]
