import { type Static, Type } from 'typebox'
import { OneOf } from '../http/text-schemas.ts'

/** Events of a workspace, for other systems. */
export const EVENT = {
  seq: Type.Integer({
    minimum: 1,
    description: 'Without gaps in the workspace. The same as in the audit log.',
  }),
  type: Type.String({ description: 'Such as `submission.passed`.' }),
  timestamp: Type.String({ format: 'date-time' }),
  workspace_id: Type.String(),
  actor: OneOf(['key', 'member', 'operator', 'service', 'link', 'anonymous']),
  subject: Type.String({ description: 'ID of what changed.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'IDs and numbers. `webhooks` in this document describes it for each type.',
  }),
}

export const EventList = Type.Object(
  {
    workspace_id: Type.String(),
    events: Type.Array(Type.Object(EVENT)),
    last_seq: Type.Integer({ minimum: 0, description: 'Send it as `after` to continue.' }),
    boundary: Type.String({ description: 'What the service does and does not claim.' }),
  },
  { $id: 'EventList', title: 'EventList', description: 'Events, oldest first and without gaps.' },
)

export const People = Type.Object(
  {
    people: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), is: OneOf(['member', 'key']) })),
    boundary: Type.String({ description: 'What the service does and does not claim.' }),
  },
  {
    $id: 'People',
    title: 'People',
    description: 'The members and API keys of a workspace, also those that are removed or revoked.',
  },
)

export type People = Static<typeof People>
export type EventList = Static<typeof EventList>
