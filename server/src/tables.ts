import type { Table } from './database/table.ts'
import { webhookKeys } from './deliveries/webhook-key.ts'
import { webhookAttempts, webhooks } from './deliveries/webhooks.ts'

/** The tables that nouns declare. */
export const DECLARED: readonly Table[] = [webhooks, webhookAttempts, webhookKeys]
