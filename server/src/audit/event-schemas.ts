import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
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
    last_seq: Type.Integer({
      minimum: 0,
      description: 'Send it as `after`, now or later, to get what is newer.',
    }),
    ...ListOf(Type.Object(EVENT)),
  },
  { $id: 'EventList', title: 'EventList', description: 'Events, oldest first and without gaps.' },
)

export const PersonList = Type.Object(
  ListOf(Type.Object({ id: Type.String(), name: Type.String(), is: OneOf(['member', 'key']) })),
  {
    $id: 'PersonList',
    title: 'PersonList',
    description: 'The members and API keys of a workspace, also those that are removed or revoked.',
  },
)

export type PersonList = Static<typeof PersonList>
export type EventList = Static<typeof EventList>
