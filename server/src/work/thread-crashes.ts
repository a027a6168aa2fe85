import type { Blocker, BLOCKERS } from '../submissions/blockers.ts'

/** Why a work thread ended. */
export type CrashCause = 'timeout' | 'memory' | 'error'

/** Jobs that must not be tried again. */
export type PoisonJobs = Readonly<Record<string, CrashCause>>

/** Remembers which jobs were running when a work thread crashed. */
export interface ThreadCrashes {
  record(jobIds: readonly string[], cause: CrashCause): void
  /** Jobs that were running in two crashes, at least once as the only job. */
  poisonJobs(): PoisonJobs
}

const MAX_CRASHES = 2
/** Far more than can run at once. A forgotten job is only counted again. */
const MAX_REMEMBERED = 1000

export function threadCrashes(): ThreadCrashes {
  const jobs = new Map<
    string,
    { readonly crashes: number; readonly alone: boolean; readonly cause: CrashCause }
  >()
  return {
    record: (jobIds, cause) => {
      for (const id of jobIds) {
        const { crashes = 0, alone = false } = jobs.get(id) ?? {}
        jobs.set(id, { crashes: crashes + 1, alone: alone || jobIds.length === 1, cause })
      }
      for (const id of jobs.keys()) if (jobs.size > MAX_REMEMBERED) jobs.delete(id)
    },
    poisonJobs: () =>
      Object.fromEntries(
        [...jobs]
          .filter(([, { crashes, alone }]) => alone && crashes >= MAX_CRASHES)
          .map(([id, { cause }]) => [id, cause]),
      ),
  }
}

const REASONS: Readonly<Record<CrashCause, string>> = {
  timeout: 'it took longer than the service allows',
  memory: 'it needed more memory than the service allows',
  error: 'the parser crashed',
}

export function unexaminable(cause: CrashCause): Blocker {
  return {
    code: 'evidence_unexaminable' satisfies keyof typeof BLOCKERS,
    path: null,
    message: `Checking the evidence failed ${MAX_CRASHES} times: ${REASONS[cause]}.`,
    remedy: 'Upload the files separately or in other formats, to find the one that causes this.',
  }
}

export function causeOf(error: unknown): CrashCause {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'memory'
    : 'error'
}
