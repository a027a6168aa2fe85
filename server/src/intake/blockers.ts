/** What stands between a job and its kit; a job that is FAIL has at least one. */
export interface Blocker {
  /** One of BLOCKERS, or of the rules for evidence. */
  readonly code: string
  /** The file it is about; null where it is about the whole job. */
  readonly path: string | null
  readonly message: string
  readonly remedy: string
}

export const BLOCKERS = {
  attempts_exhausted: 'The job was begun as often as the service allows, and never came to an end.',
  evidence_unexaminable:
    'What reads the evidence ran out of time or memory, or broke down, each time that it was begun.',
} as const

export function attemptsExhausted(attempts: number): Blocker {
  return {
    code: 'attempts_exhausted' satisfies keyof typeof BLOCKERS,
    path: null,
    message: `The job was begun ${attempts} times and never came to an end.`,
    remedy: 'Create the job again. If that one fails too, the operator finds the cause in the log by job_id.',
  }
}
