import { type Verdict, VERDICTS } from '@kitseal/kit'
import { Type } from 'typebox'
import { OneOf } from '../http/text-schemas.ts'

/** A kit among the files of a kit that was verified. */
export const ContainedKit = Type.Object({
  path: Type.String({ description: 'The archive or folder, through all kits that it is in.' }),
  level: Type.Integer({
    description: '1 for a kit among the files of the kit, 2 for one inside that, and so on.',
  }),
  kit_id: Type.Union([Type.String(), Type.Null()]),
  issuer: Type.Union([Type.String(), Type.Null()]),
  issued_at: Type.Union([Type.String(), Type.Null()]),
  status: OneOf(['PASS', 'FAIL']),
  verdict: OneOf(Object.keys(VERDICTS) as readonly Verdict[]),
})
