import type { Submission } from '@kitseal/client'

/** Says that retention has deleted the evidence, and when. */
export const expiredText = ({ updated_at }: Pick<Submission, 'updated_at'>): string =>
  `The evidence of this submission was deleted on ${updated_at.slice(0, 10)} under the retention rule. Manifest and receipt remain.`
