import type { Config } from '../config.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { WorkContext } from './work-on-job.ts'

/** What a work thread is started with. */
export interface ThreadOrder {
  readonly config: Config
  readonly issuer: string
  readonly page: StoredObject
  readonly owner: string
  /** After a crash one job is worked on at a time, so that the one that is to blame is blamed alone. */
  readonly careful: boolean
}

export type ToThread = { readonly say: 'wake' } | { readonly say: 'stop' }

export type FromThread =
  | { readonly say: 'line'; readonly json: string }
  | { readonly say: 'ended'; readonly result: Parameters<WorkContext['ended']>[0] }
  | { readonly say: 'health'; readonly healthy: boolean }
