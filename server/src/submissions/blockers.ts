import type { CrashCause } from '../runtime/worker-pool.ts'

/** A reason why a job has no kit. A failed job has at least one. */
export interface Blocker {
  /** One of BLOCKERS or of the evidence rules. */
  readonly code: string
  /** The file concerned; null if it concerns the whole job. */
  readonly path: string | null
  readonly message: string
  readonly remedy: string
}

export const BLOCKERS = {
  attempts_exhausted: 'The job failed in every attempt that the service allows.',
  evidence_unexaminable: 'Checking the evidence timed out, ran out of memory or crashed, every time.',
  issued_before_restore:
    'A kit was issued for the job, and then the service was restored from an older backup.',
} as const

export function attemptsExhausted(attempts: number): Blocker {
  return {
    code: 'attempts_exhausted' satisfies keyof typeof BLOCKERS,
    path: null,
    message: `The job failed ${attempts} times because of an internal error.`,
    remedy: 'Create the job again. If it fails again, the operator can find the cause in the log by job_id.',
  }
}

const REASONS: Readonly<Record<CrashCause, string>> = {
  timeout: 'it took longer than the service allows',
  memory: 'it needed more memory than the service allows',
  error: 'the parser crashed',
}

export function unexaminable(cause: CrashCause, attempts: number): Blocker {
  return {
    code: 'evidence_unexaminable' satisfies keyof typeof BLOCKERS,
    path: null,
    message: `Checking the evidence failed ${attempts} times: ${REASONS[cause]}.`,
    remedy: 'Upload the files separately or in other formats, to find the one that causes this.',
  }
}

export function issuedBeforeRestore(): Blocker {
  return {
    code: 'issued_before_restore' satisfies keyof typeof BLOCKERS,
    path: null,
    message:
      'A kit was issued for this before the service was restored from an older backup. The service no longer has it.',
    remedy: 'Use the kit that was downloaded then, or submit the evidence again.',
  }
}
