import { Type } from 'typebox'
import { OneOf } from '../http/text-schemas.ts'

const Count = Type.Integer({ minimum: 0 })

export const Plan = Type.Object(
  {
    name: Type.String(),
    upload_limit_bytes: Count,
    unpacked_limit_bytes: Count,
    unpacked_files: Count,
    unpacked_ratio: Count,
    retention_days: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Null if kits are kept indefinitely.',
    }),
    rate_per_minute: Count,
    evidence_policy: OneOf(['open', 'examined_only']),
    finding_classes: Type.Record(Type.String(), OneOf(['danger', 'damage', 'notice'])),
  },
  { description: 'The limits of the workspace.' },
)
