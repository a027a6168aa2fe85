import type { Config } from '../settings/config.ts'
import type { ProofSources } from '../log/proof-sources.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { PoisonJobs } from './thread-crashes.ts'
import type { WorkContext } from './work-on-job.ts'

export interface ThreadOptions {
  readonly config: Config
  readonly issuer: string
  readonly page: StoredObject
  readonly owner: string
  /** Undefined if the service alone signs its log. */
  readonly proofSources?: ProofSources | undefined
  /** Jobs that crashed a thread before. They fail without another attempt. */
  readonly poisonJobs: PoisonJobs
}

export type ToThread = { readonly type: 'wake' } | { readonly type: 'stop' }

export type FromThread =
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'ended'; readonly result: Parameters<WorkContext['ended']>[0] }
  /** Heartbeat: a thread that stops sending it is stuck. */
  | { readonly type: 'health'; readonly healthy: boolean }
  | { readonly type: 'overdue'; readonly jobId: string }
