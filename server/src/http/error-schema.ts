import { type Static, Type } from 'typebox'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { Boundary } from './schema-parts.ts'
import { OneOf } from './text-schemas.ts'

export const ErrorResponse = Type.Object(
  {
    error: Type.String({ description: 'Reason phrase of the status.' }),
    code: OneOf(
      Object.keys(REFUSALS) as RefusalCode[],
      'What went wrong. Later releases may add codes: treat an unknown one by its status.',
    ),
    message: Type.String({ description: 'For people. Do not parse it.' }),
    request_id: Type.String({ description: 'Also in `X-Request-Id`.' }),
    boundary: Type.Optional(Boundary()),
  },
  { $id: 'ErrorResponse', title: 'ErrorResponse', description: 'Returned with every error.' },
)

export type ErrorResponse = Static<typeof ErrorResponse>
