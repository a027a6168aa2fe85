import { type Static, Type } from 'typebox'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { Boundary, Named } from './schema-parts.ts'
import { OneOf } from './text-schemas.ts'

export const ErrorResponse = Named('ErrorResponse', 'Returned with every error.', {
  error: Type.String({ description: 'Reason phrase of the status.' }),
  code: OneOf(
    Object.keys(REFUSALS) as RefusalCode[],
    'What went wrong. Later releases may add codes: treat an unknown one by its status.',
  ),
  message: Type.String({ description: 'For people. Do not parse it.' }),
  param: Type.Optional(
    Type.String({
      description:
        'What the error is about: a member of the body such as `items[2].title`, a form field, a parameter of the query or path, or a header. The first one, if there are several.',
    }),
  ),
  request_id: Type.String({ description: 'Also in `X-Request-Id`.' }),
  boundary: Type.Optional(Boundary()),
})

export type ErrorResponse = Static<typeof ErrorResponse>
