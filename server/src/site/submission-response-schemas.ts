import { Type } from 'typebox'
import { SHOWN_ATTRIBUTES } from '../submissions/submission-attributes.ts'
import { OneOf } from '../http/text-schemas.ts'

/** The list of submissions. */

const Text = Type.String()
const Count = Type.Integer()
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const Status = OneOf(['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'])
export const Stage = OneOf(['draft', 'queued', 'running', 'passed', 'failed', 'expired'])

export const SubmissionSummary = Type.Object({
  submission_id: Text,
  label: Text,
  status: Status,
  stage: Stage,
  profile: Text,
  ...SHOWN_ATTRIBUTES,
  created_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The email address of the member, or the label of the API key.',
  }),
  job_id: Text,
  kit_id: TextOrNull,
  created_at: Text,
  updated_at: Text,
  files: Count,
  size_bytes: Count,
  blockers: Count,
  key_revoked_at: TextOrNull,
  replaced_by: TextOrNull,
})
export const SubmissionSummaries = Type.Object({
  submissions: Type.Array(SubmissionSummary),
  next_cursor: TextOrNull,
})
