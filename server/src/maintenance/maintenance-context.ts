import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import type { KitCatalog } from '../kits/kit-queries.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import type { Log } from '../runtime/logger.ts'
import type { Store } from '../open-store.ts'

export interface MaintenanceContext extends Pick<Store, 'db' | 'units' | 'objects' | 'signingKeys' | 'mail'> {
  readonly config: Pick<Config, 'scrubBytesPerSecond' | 'orphanGraceHours' | 'openIntakeTtlDays'>
  readonly kits: KitCatalog
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly log: Pick<Log, 'info' | 'error'>
  /** The start page of kits names it. */
  readonly issuer: string
}
