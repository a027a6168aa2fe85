import { type Static, Type } from 'typebox'
import { Boundary, DateTime, Named, NamedBody, NullableString } from '../http/schema-parts.ts'
import { LABEL, OneOf } from '../http/text-schemas.ts'

export const JobStatus = OneOf(['DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED'])

export const IntakeJob = Named('IntakeJob', 'An intake job, from draft to issued kit.', {
  job_id: Type.String(),
  tenant_id: Type.String(),
  scope_label: Type.String(),
  status: JobStatus,
  created_at: DateTime(),
  updated_at: DateTime(),
  kit_id: Type.Optional(NullableString()),
  boundary: Boundary(),
})

/** The body of a new job. Members of IntakeJob that the service assigns are accepted and ignored. */
export const IntakeJobRequest = NamedBody(
  'IntakeJobRequest',
  'Send `tenant_id`, `scope_label` and optionally `status`. Other members of IntakeJob are accepted and ignored.',
  {
    tenant_id: Type.String({
      ...LABEL,
      description: 'The tenant, one line of text. With an API key: its workspace ID.',
    }),
    scope_label: Type.String({
      ...LABEL,
      description: 'What the evidence is about. Becomes `scope` in the receipt.',
    }),
    status: Type.Optional(
      Type.Unsafe<'DRAFT' | 'SUBMITTED'>({
        type: 'string',
        enum: ['DRAFT', 'SUBMITTED'],
        default: 'SUBMITTED',
      }),
    ),
    job_id: Type.Optional(Type.String({ description: 'Accepted and ignored. The service assigns it.' })),
    created_at: Type.Optional(DateTime()),
    updated_at: Type.Optional(DateTime()),
    kit_id: Type.Optional(NullableString()),
    boundary: Type.Optional(Type.String()),
  },
)

export type IntakeJob = Static<typeof IntakeJob>
export type IntakeJobRequest = Static<typeof IntakeJobRequest>
