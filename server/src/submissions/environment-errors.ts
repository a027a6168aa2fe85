import { isUnavailable } from '../database/unavailable.ts'
import { NoWorker } from '../runtime/worker-pool.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'

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
