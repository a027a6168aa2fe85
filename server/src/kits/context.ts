import type { VerificationReport } from '@kitseal/kit'
import type { DownloadLog } from '../audit/download-log.ts'
import type { Db } from '../database/schema.ts'
import type { TransactTogether } from '../database/transact.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { FreeSpace } from '../objects/disk-check.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import type { Config } from '../settings/config.ts'
import type { KitCatalog } from './kit-queries.ts'
import type { KitToVerify } from './verify-uploaded-kit.ts'

/** What routes about kits and submissions are handed. Only services.ts builds it. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly db: Db
  readonly transactTogether: TransactTogether
  readonly objects: ObjectStore
  /** Of the local disks. */
  readonly space: FreeSpace
  readonly signingKeys: SigningKeys
  readonly kits: KitCatalog
  /** Verifies an uploaded kit in a worker. */
  readonly verifyUploaded: (kit: KitToVerify) => Promise<VerificationReport>
  readonly downloads: DownloadLog
  readonly transparencyLog: TransparencyLog
}
