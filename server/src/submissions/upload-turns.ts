import type { SubmissionId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'

/**
 * One upload at a time for each submission, as far as this process knows: the second of two is refused before it is
 * read. Which of two uploads counts is decided by the store when they are accepted, so that nothing has to be given
 * back by a process that dies.
 */
export interface UploadTurns {
  during<T>(id: SubmissionId, upload: () => Promise<T>): Promise<T>
}

export function uploadTurns(): UploadTurns {
  const taken = new Set<SubmissionId>()
  return {
    during: async (id, upload) => {
      if (taken.has(id)) throw onItsWay()
      taken.add(id)
      try {
        return await upload()
      } finally {
        taken.delete(id)
      }
    },
  }
}

const onItsWay = (): Refusal =>
  new Refusal('upload_in_progress', 'Another upload for this submission is on its way. Wait for its end.', {
    headers: { 'retry-after': '2' },
  })
