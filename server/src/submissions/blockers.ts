import { detailOf, ownBlocker } from '@kitseal/examiner'
import { isUnavailable } from '../database/unavailable.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { type CrashCause, NoWorker } from '../runtime/worker-pool.ts'

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

/** Another node has the task, or the job has ended. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost'
}

/** The key was retired or revoked while the kit was being sealed. The kit must be sealed again. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded'
}

const ENVIRONMENT_ERRORS = new Set<string>([...MACHINE_FAILURES, 'ENOMEM'])
/** Errors of workers have lost their class. */
const ENVIRONMENT_NAMES = new Set(['ObjectsUnavailable', 'KeyEnded', 'KeyUnusable', 'ImplausibleTime'])

/** A full disk or an unplugged token must not fail jobs: they wait until it is fixed. */
export function isEnvironmentError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return (
    error instanceof NoWorker ||
    ENVIRONMENT_ERRORS.has(code) ||
    ENVIRONMENT_NAMES.has(error.name) ||
    isUnavailable(error)
  )
}
