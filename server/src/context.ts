import type { Kysely } from 'kysely'
import type { Clock } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import type { Database } from './database/schema.ts'
import type { Identifiers } from './runtime/identifiers.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import type { KitCatalog } from './kits/kit-queries.ts'
import type { Mail } from './deliveries/mail.ts'
import type { TransparencyLog } from './log/transparency-log.ts'
import type { ObjectStore } from './objects/object-store.ts'
import type { WebhookSender } from './deliveries/webhook-channel.ts'
import type { DownloadLog } from './audit/download-log.ts'

/** Shared services, passed to the areas. Only services.ts builds it. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly signingKeys: SigningKeys
  readonly mail: Mail
  readonly webhooks: WebhookSender
  readonly kits: KitCatalog
  readonly downloads: DownloadLog
  readonly transparencyLog: TransparencyLog
}
