import type { Config } from '../config.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { CondemnedJobs } from './thread-deaths.ts'
import type { WorkContext } from './work-on-job.ts'

/** What a work thread is started with. */
export interface ThreadOrder {
  readonly config: Config
  readonly issuer: string
  readonly page: StoredObject
  readonly owner: string
  /** Jobs that brought a thread down before: they end in FAIL. */
  readonly condemned: CondemnedJobs
}

export type ToThread = { readonly say: 'wake' } | { readonly say: 'stop' }

export type FromThread =
  | { readonly say: 'line'; readonly json: string }
  | { readonly say: 'ended'; readonly result: Parameters<WorkContext['ended']>[0] }
  /** Said again and again: a thread that falls silent is stuck. */
  | { readonly say: 'health'; readonly healthy: boolean }
  | { readonly say: 'overdue'; readonly jobId: string }
