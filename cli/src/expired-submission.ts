import type { Submission } from '@kitseal/client'

type Expired = Pick<Submission, 'updated_at' | 'erasure' | 'kit_id'>

/** Says when the evidence was deleted, and why. */
export function expiredText({ updated_at, erasure, kit_id }: Expired): string {
  const day = (erasure?.erased_at ?? updated_at).slice(0, 10)
  if (kit_id === null) return `This submission was deleted, or not completed in time, on ${day}.`
  const why =
    erasure?.reason === 'request'
      ? `by order of ${erasure.ordered_by ?? 'an owner'}`
      : 'under the retention rule'
  return `The evidence of this submission was deleted on ${day} ${why}. Manifest and receipt remain.`
}
