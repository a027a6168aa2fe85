import type { Blocker, BLOCKERS } from '../intake/blockers.ts'

/** What a work thread died of. */
export type DeathCause = 'silence' | 'memory' | 'fault'

export type CondemnedJobs = Readonly<Record<string, DeathCause>>

/** Remembers which jobs a work thread had in hand when it died. */
export interface ThreadDeaths {
  died(jobIds: readonly string[], cause: DeathCause): void
  /** Jobs that were in hand at two deaths, and at one of them alone: they are begun no more. */
  condemned(): CondemnedJobs
}

const ENOUGH = 2
/** Far more than can be in hand: what is forgotten is only counted anew. */
const MOST_REMEMBERED = 1000

export function threadDeaths(): ThreadDeaths {
  const jobs = new Map<
    string,
    { readonly deaths: number; readonly alone: boolean; readonly cause: DeathCause }
  >()
  return {
    died: (jobIds, cause) => {
      for (const id of jobIds) {
        const { deaths = 0, alone = false } = jobs.get(id) ?? {}
        jobs.set(id, { deaths: deaths + 1, alone: alone || jobIds.length === 1, cause })
      }
      for (const id of jobs.keys()) if (jobs.size > MOST_REMEMBERED) jobs.delete(id)
    },
    condemned: () =>
      Object.fromEntries(
        [...jobs]
          .filter(([, { deaths, alone }]) => alone && deaths >= ENOUGH)
          .map(([id, { cause }]) => [id, cause]),
      ),
  }
}

const WORDS: Readonly<Record<DeathCause, string>> = {
  silence: 'it took longer than the service allows',
  memory: 'it took more memory than the service allows',
  fault: 'what reads it broke down',
}

export function unexaminable(cause: DeathCause): Blocker {
  return {
    code: 'evidence_unexaminable' satisfies keyof typeof BLOCKERS,
    path: null,
    message: `The evidence was begun to be examined ${ENOUGH} times and not to the end: ${WORDS[cause]}.`,
    remedy:
      'Send the files in smaller pieces or other formats, so that the one that is to blame shows itself.',
  }
}

export function causeOf(error: unknown): DeathCause {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'memory'
    : 'fault'
}
