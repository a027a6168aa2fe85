/**
 * Every code that an error answer can carry, with its status and what it means: the one table. Held against
 * spec/error-codes.md by a test. What the caller can act on is a Refusal; anything else thrown is a bug, and a 500.
 */
export const REFUSALS = {
  request_malformed: [400, 'The HTTP request itself can not be read.'],
  url_malformed: [400, 'The path is not valid percent-encoded UTF-8.'],
  json_malformed: [
    400,
    'The body is not strict JSON (RFC 8259 and I-JSON: no duplicate member names, no lone surrogates, safe integers only).',
  ],
  body_not_an_object: [400, 'The body is JSON, and not a JSON object.'],
  body_invalid: [400, 'The body is a JSON object of the wrong shape; `message` names every problem.'],
  idempotency_key_malformed: [400, '`Idempotency-Key` is not 1 to 255 visible ASCII characters.'],
  query_invalid: [400, 'The query string is not what this endpoint takes; `message` names every problem.'],
  multipart_malformed: [400, 'The body is not well-formed multipart/form-data.'],
  passkey_refused: [400, 'The answer of the authenticator does not make a passkey for this console.'],
  evidence_invalid: [400, 'The form is not what this endpoint takes; `message` says what is wrong with it.'],
  api_key_required: [401, 'This endpoint, or this service, takes nothing without `X-API-Key`.'],
  api_key_invalid: [401, 'The `X-API-Key` that was sent is not a valid key.'],
  session_required: [401, 'The console needs a session: sign in.'],
  sign_in_failed: [401, 'The passkey is not known here, or its answer is not valid.'],
  credits_exhausted: [402, 'The workspace has no credit left; nothing was taken in.'],
  api_access_off: [403, "The workspace's plan has no API access."],
  tenant_not_yours: [403, '`tenant_id` is not the workspace of the key that was sent.'],
  role_insufficient: [403, "The member's role does not let it do this."],
  cross_site_refused: [403, 'A change that was not sent by a page of the console itself.'],
  route_not_found: [404, 'There is nothing at this path.'],
  job_not_found: [404, 'There is no such job, or it is not yours.'],
  kit_not_found: [404, 'There is no such kit, or it is not yours.'],
  submission_not_found: [404, 'There is no such submission, or it is not yours.'],
  deliverable_not_found: [404, 'The submission has no deliverable of this name, or not yet.'],
  key_not_found: [404, 'The workspace has no such API key in use.'],
  member_not_found: [404, 'The workspace has no such member.'],
  invitation_not_found: [404, 'The workspace has no such open invitation.'],
  invitation_invalid: [404, 'The link is unknown, used, expired or revoked.'],
  session_not_found: [404, 'The member has no such session.'],
  passkey_not_found: [404, 'The member has no such passkey.'],
  schema_not_found: [404, 'There is no schema of this name.'],
  method_not_allowed: [405, 'The path exists, and not for this method; see `Allow`.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_key_reused: [409, 'This `Idempotency-Key` came before with another body.'],
  job_not_bindable: [409, 'The job is not an unbound draft.'],
  submission_sealed: [409, 'The submission is sealed and takes no more evidence.'],
  upload_in_progress: [409, 'Another upload for this submission came first.'],
  submission_not_failed: [409, 'Only a submission that is FAIL is submitted again.'],
  evidence_gone: [409, 'The evidence that was to be kept is not in the store any more.'],
  scopes_differ: [409, 'The two kits are of different scopes.'],
  ceremony_over: [409, 'The sign-in or registration took too long, or was answered already.'],
  member_exists: [409, 'The workspace has a member with this address.'],
  last_owner: [409, 'A workspace with members keeps an owner.'],
  last_passkey: [409, 'A member keeps a way to sign in.'],
  kit_expired: [
    410,
    'The retention of the kit ended: its content was deleted; manifest and receipt are still served.',
  ],
  precondition_failed: [412, 'What is there is not what `If-Match` names.'],
  body_too_large: [413, 'The body is larger than this endpoint takes.'],
  upload_too_large: [413, 'The uploads of this submission are larger together than its plan allows.'],
  media_type_unsupported: [415, 'The body is not in a media type that this endpoint takes.'],
  range_not_satisfiable: [416, 'The range lies outside the file.'],
  expectation_failed: [417, 'The service meets no expectation but `100-continue`.'],
  rate_limited: [429, 'Too many requests from this caller; wait as long as `Retry-After` says.'],
  streams_exhausted: [429, 'Too many event streams are open; close one, or ask now and then instead.'],
  headers_too_large: [431, 'The header fields of the request are too large.'],
  internal_error: [
    500,
    'A fault of the service; nothing was decided. The operator finds it by `request_id`.',
  ],
  overloaded: [503, 'The service is at its limit; try again after `Retry-After`.'],
  store_unavailable: [503, 'The store does not answer; try again after `Retry-After`.'],
  oidc_unavailable: [503, 'The OpenID Connect provider does not answer.'],
  pages_not_built: [503, 'The pages have not been built.'],
  stopping: [503, 'The service is being stopped; try again after `Retry-After`.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

export type RefusalCode = keyof typeof REFUSALS

export interface RefusalDetails {
  /** For the log, never for the caller. */
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>

  /** `message` is for the caller. */
  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.headers = details.headers ?? {}
  }

  get status(): number {
    return REFUSALS[this.code][0]
  }
}
