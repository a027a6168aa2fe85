import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import { Count, DateTime, Named, NullableString, Sha256, OneOf } from '../http/schema-parts.ts'

const AUDIT_EVENT = {
  seq: Type.Integer({ minimum: 1 }),
  prev: Sha256('`hash` of the event before. The first event has the audit tag of the workspace.'),
  hash: Sha256('Of this event and, through `prev`, of all before it.'),
  at: DateTime(),
  actor: OneOf(['key', 'member', 'operator', 'service', 'link', 'anonymous']),
  key_id: NullableString('The API key, if one was used.'),
  member_id: NullableString('The member, if it was done in the console.'),
  action: Type.String(),
  subject: Type.String({ description: 'ID of what was changed or downloaded.' }),
  details: Type.Record(Type.String(), Type.Unknown()),
}

export const AuditTrail = Named(
  'AuditTrail',
  'The audit log of a workspace: who changed or downloaded what, and when.',
  {
    workspace_id: Type.String(),
    ...ListOf(
      Type.Object({
        ...AUDIT_EVENT,
        by: Type.Optional(
          NullableString('With `names`: the email address of the member, or the label of the key.'),
        ),
        subject_name: Type.Optional(NullableString('With `names`: of a member or an API key.')),
        submission: Type.Optional(
          Type.Union([Type.Object({ submission_id: Type.String(), label: Type.String() }), Type.Null()], {
            description: 'With `names`: the submission that the event belongs to.',
          }),
        ),
      }),
      'Newest first, or with `after` oldest first. Append-only, without gaps in `seq`.',
    ),
  },
)

const AUDIT_HEAD = {
  audit_version: Type.Literal('kitseal-audit-1'),
  audit_tag: Sha256('Identifies the audit log in the transparency log without naming the workspace.'),
  count: Type.Integer({ minimum: 1, description: '`seq` of the newest event.' }),
  head: Sha256('`hash` of the newest event.'),
  log_proof: Type.String({ description: 'A tlog-proof (C2SP) of the leaf with these members.' }),
}

export const AuditHead = Named(
  'AuditHead',
  'The state of an audit log, with the proof that it is in the transparency log.',
  AUDIT_HEAD,
)

export type AuditTrail = Static<typeof AuditTrail>
export type AuditHead = Static<typeof AuditHead>

/** Events of a workspace, for other systems. */
const EVENT = {
  seq: Type.Integer({
    minimum: 1,
    description: 'Without gaps in the workspace. The same as in the audit log.',
  }),
  type: Type.String({ description: 'Such as `submission.passed`.' }),
  timestamp: DateTime(),
  workspace_id: Type.String(),
  actor: OneOf(['key', 'member', 'operator', 'service', 'link', 'anonymous']),
  subject: Type.String({ description: 'ID of what changed.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'IDs and numbers. `webhooks` in this document describes it for each type.',
  }),
}

export const EventList = Named('EventList', 'Events, oldest first and without gaps.', {
  workspace_id: Type.String(),
  last_seq: Count('Send it as `after`, now or later, to get what is newer.'),
  ...ListOf(Type.Object(EVENT)),
})

export const PersonList = Named(
  'PersonList',
  'The members and API keys of a workspace, also those that are removed or revoked.',
  ListOf(Type.Object({ id: Type.String(), name: Type.String(), is: OneOf(['member', 'key']) })),
)

export type PersonList = Static<typeof PersonList>
export type EventList = Static<typeof EventList>
