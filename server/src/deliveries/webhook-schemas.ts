import { type Static, Type } from 'typebox'
import { LABEL } from '../http/text-schemas.ts'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Count,
  DateTime,
  Named,
  NamedBody,
  NullableInteger,
  NullableString,
  NullableTime,
} from '../http/schema-parts.ts'

/** Webhooks and what was sent to them. */

const URL_TEXT = {
  minLength: 1,
  maxLength: 2000,
  description: 'An https URL with a public address. The operator can allow others.',
}
const TYPES = {
  minItems: 1,
  maxItems: 200,
  description: 'Send only these types of events, such as `submission.passed`. Null or missing for all.',
}
const Types = Type.Union([Type.Array(Type.String({ maxLength: 60 }), TYPES), Type.Null()], {
  description: TYPES.description,
})
const Description = Type.String({ ...LABEL, minLength: 0, description: 'For you. One line of text.' })

export const WebhookRequest = NamedBody('WebhookRequest', 'Body of POST /v1/webhooks.', {
  url: Type.String(URL_TEXT),
  types: Type.Optional(Types),
  description: Type.Optional(Description),
})

export const WebhookUpdate = NamedBody('WebhookUpdate', 'What to change.', {
  url: Type.Optional(Type.String(URL_TEXT)),
  types: Type.Optional(Types),
  description: Type.Optional(Description),
  enabled: Type.Optional(
    Type.Boolean({ description: 'A webhook that is enabled continues where it stopped.' }),
  ),
})

const WEBHOOK = {
  webhook_id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  types: Types,
  enabled: Type.Boolean(),
  disabled_at: NullableTime('When it was disabled.'),
  disabled_reason: NullableString('Why. The service disables a webhook that fails for three days.'),
  last_seq: Count('`seq` of the newest event that was delivered.'),
  failing_since: NullableTime('When the current row of failures began.'),
  next_attempt_at: NullableTime('When a failed delivery is tried again.'),
  previous_secret_until: NullableTime('Until then, the previous secret signs too.'),
  created_at: DateTime(),
  updated_at: DateTime(),
  boundary: Boundary(),
}
const Secret = Type.Optional(
  Type.String({
    description: 'Verifies the signature `v1`. Only this response has it. Begins with `whsec_`.',
  }),
)

export const Webhook = Named('Webhook', 'A URL that events are sent to.', {
  ...WEBHOOK,
  secret: Secret,
  notice: Type.Optional(
    Type.String({ description: 'Only in the response to a retry: why there is no secret.' }),
  ),
})

export const WebhookList = Named(
  'WebhookList',
  'The webhooks of the workspace, oldest first.',
  ListOf(Type.Object(WEBHOOK)),
)

const ATTEMPT = {
  number: Type.Integer({ minimum: 1 }),
  seq: Count('Of the event. 0 for a test.'),
  type: Type.String(),
  created_at: DateTime(),
  status: NullableInteger('Of the response. Null if there was none.'),
  duration_ms: Count(),
  problem: NullableString('Null if it was delivered.'),
}

export const WebhookAttempt = Named('WebhookAttempt', 'One request to a webhook.', {
  ...ATTEMPT,
  boundary: Boundary(),
})

export const WebhookAttemptList = Named('WebhookAttemptList', 'Newest first.', {
  webhook_id: Type.String(),
  ...ListOf(Type.Object(ATTEMPT)),
})

export type WebhookRequest = Static<typeof WebhookRequest>
export type WebhookUpdate = Static<typeof WebhookUpdate>
export type Webhook = Static<typeof Webhook>
export type WebhookList = Static<typeof WebhookList>
export type WebhookAttempt = Static<typeof WebhookAttempt>
export type WebhookAttemptList = Static<typeof WebhookAttemptList>
