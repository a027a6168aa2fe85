import { Type } from 'typebox'
import { OneOf } from '../http/text-schemas.ts'

const Text = Type.String()
const Count = Type.Integer()

/** The plan of a workspace, in responses of the console. */
export const Plan = Type.Object({
  name: Text,
  upload_limit_bytes: Count,
  unpacked_limit_bytes: Count,
  unpacked_files: Count,
  unpacked_ratio: Count,
  retention_days: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  rate_per_minute: Count,
  evidence_policy: OneOf(['open', 'examined_only']),
  finding_classes: Type.Record(Text, OneOf(['danger', 'damage', 'notice'])),
})
