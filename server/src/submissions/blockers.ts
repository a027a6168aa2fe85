import { detailOf, ownBlocker } from '@kitseal/examiner'
import type { CrashCause } from '../runtime/worker-pool.ts'

/** A reason why a job has no kit. A failed job has at least one. */
export interface Blocker {
  /** Of an evidence rule, or of one of the blockers below. */
  readonly code: string
  /** The file concerned; null if it concerns the whole job. */
  readonly path: string | null
  readonly message: string
  readonly remedy: string
  /** What the message says beside what the code stands for. */
  readonly args: object
}

export const attemptsExhausted = (attempts: number): Blocker =>
  ownBlocker('attempts_exhausted', detailOf('detail.jobFailed', { count: attempts }))

export const unexaminable = (cause: CrashCause, attempts: number): Blocker =>
  ownBlocker(
    'evidence_unexaminable',
    detailOf('detail.checkFailed', { count: attempts, what: detailOf(`detail.crash.${cause}`) }),
  )

export const issuedBeforeRestore = (): Blocker => ownBlocker('issued_before_restore')
