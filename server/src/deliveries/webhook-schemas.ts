import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { Boundary, DateTime, NullableString } from '../http/schema-parts.ts'

/** Webhooks and what was sent to them. */

const NullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

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
const Description = Type.String({ maxLength: 200, description: 'For you.' })

export const WebhookRequest = Type.Object(
  { url: Type.String(URL_TEXT), types: Type.Optional(Types), description: Type.Optional(Description) },
  {
    $id: 'WebhookRequest',
    title: 'WebhookRequest',
    description: 'Body of POST /v1/webhooks.',
    additionalProperties: false,
  },
)

export const WebhookUpdate = Type.Object(
  {
    url: Type.Optional(Type.String(URL_TEXT)),
    types: Type.Optional(Types),
    description: Type.Optional(Description),
    enabled: Type.Optional(
      Type.Boolean({ description: 'A webhook that is enabled continues where it stopped.' }),
    ),
  },
  {
    $id: 'WebhookUpdate',
    title: 'WebhookUpdate',
    description: 'What to change.',
    additionalProperties: false,
  },
)

const WEBHOOK = {
  webhook_id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  types: Types,
  enabled: Type.Boolean(),
  disabled_at: NullableTime('When it was disabled.'),
  disabled_reason: NullableString('Why. The service disables a webhook that fails for three days.'),
  last_seq: Type.Integer({ minimum: 0, description: '`seq` of the newest event that was delivered.' }),
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

export const Webhook = Type.Object(
  { ...WEBHOOK, secret: Secret },
  { $id: 'Webhook', title: 'Webhook', description: 'A URL that events are sent to.' },
)

export const WebhookList = Type.Object(ListOf(Type.Object(WEBHOOK)), {
  $id: 'WebhookList',
  title: 'WebhookList',
  description: 'The webhooks of the workspace, oldest first.',
})

const ATTEMPT = {
  number: Type.Integer({ minimum: 1 }),
  seq: Type.Integer({ minimum: 0, description: 'Of the event. 0 for a test.' }),
  type: Type.String(),
  created_at: DateTime(),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Of the response. Null if there was none.',
  }),
  duration_ms: Type.Integer({ minimum: 0 }),
  problem: NullableString('Null if it was delivered.'),
}

export const WebhookAttempt = Type.Object(
  { ...ATTEMPT, boundary: Boundary() },
  { $id: 'WebhookAttempt', title: 'WebhookAttempt', description: 'One request to a webhook.' },
)

export const WebhookAttemptList = Type.Object(
  { webhook_id: Type.String(), ...ListOf(Type.Object(ATTEMPT)) },
  { $id: 'WebhookAttemptList', title: 'WebhookAttemptList', description: 'Newest first.' },
)

export const WEBHOOK_SCHEMAS = {
  WebhookRequest,
  WebhookUpdate,
  Webhook,
  WebhookList,
  WebhookAttempt,
  WebhookAttemptList,
}

export type WebhookRequest = Static<typeof WebhookRequest>
export type WebhookUpdate = Static<typeof WebhookUpdate>
export type Webhook = Static<typeof Webhook>
export type WebhookList = Static<typeof WebhookList>
export type WebhookAttempt = Static<typeof WebhookAttempt>
export type WebhookAttemptList = Static<typeof WebhookAttemptList>
