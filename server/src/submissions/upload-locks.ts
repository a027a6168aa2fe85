import type { SubmissionId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'

/**
 * Allows one upload per submission in this process and rejects a second one before it is read. Between processes, the
 * database decides which upload wins, so a crash leaves no lock behind.
 */
export interface UploadLocks {
  run<T>(id: SubmissionId, upload: () => Promise<T>): Promise<T>
}

export function uploadLocks(): UploadLocks {
  const locked = new Set<SubmissionId>()
  return {
    run: async (id, upload) => {
      if (locked.has(id)) throw inProgress()
      locked.add(id)
      try {
        return await upload()
      } finally {
        locked.delete(id)
      }
    },
  }
}

const inProgress = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission is in progress. Wait until it finishes.',
    {
      headers: { 'retry-after': '2' },
    },
  )
