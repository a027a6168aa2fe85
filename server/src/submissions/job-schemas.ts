import { type Static, Type } from 'typebox'
import { Boundary, DateTime } from '../http/schema-parts.ts'
import { LABEL, OneOf } from '../http/text-schemas.ts'

const closed = { additionalProperties: false } as const

export const JobStatus = OneOf(['DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED'])

const KitIdOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const IntakeJob = Type.Object(
  {
    job_id: Type.String(),
    tenant_id: Type.String(),
    scope_label: Type.String(),
    status: JobStatus,
    created_at: DateTime(),
    updated_at: DateTime(),
    kit_id: Type.Optional(KitIdOrNull),
    boundary: Boundary(),
  },
  {
    $id: 'IntakeJob',
    title: 'IntakeJob',
    description: 'An intake job, from draft to issued kit.',
  },
)

/** The body of a new job. Members of IntakeJob that the service assigns are accepted and ignored. */
export const IntakeJobRequest = Type.Object(
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
    kit_id: Type.Optional(KitIdOrNull),
    boundary: Type.Optional(Type.String()),
  },
  {
    $id: 'IntakeJobRequest',
    title: 'IntakeJobRequest',
    description:
      'Send `tenant_id`, `scope_label` and optionally `status`. Other members of IntakeJob are accepted and ignored.',
    ...closed,
  },
)

export type IntakeJob = Static<typeof IntakeJob>
export type IntakeJobRequest = Static<typeof IntakeJobRequest>
