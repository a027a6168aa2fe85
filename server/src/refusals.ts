import { escapeHidden, type MessageArguments } from '@kitseal/kit/internal'

/**
 * Every error code of the API with its status and meaning; spec/error-codes.md is generated from it. A `Refusal` is an
 * error that the caller can act on. Anything else thrown is a bug and becomes a 500.
 */
export const REFUSALS = {
  request_malformed: [400, 'The HTTP request is malformed.'],
  url_malformed: [400, 'The path is not valid percent-encoded UTF-8.'],
  json_malformed: [
    400,
    'The body is not strict JSON (RFC 8259 and I-JSON: no duplicate member names, no lone surrogates, safe integers only).',
  ],
  body_not_an_object: [400, 'The body is valid JSON but not an object.'],
  body_invalid: [400, 'The body does not match the schema; `message` lists every problem.'],
  idempotency_key_malformed: [400, '`Idempotency-Key` is not 1 to 255 visible ASCII characters.'],
  query_invalid: [400, 'The query parameters are invalid; `message` lists every problem.'],
  multipart_malformed: [400, 'The body is not well-formed multipart/form-data.'],
  passkey_refused: [400, 'The authenticator’s response could not be verified for this console.'],
  evidence_invalid: [400, 'The upload form is invalid; `message` says why.'],
  upload_invalid: [400, 'A header of a resumable upload is missing or wrong; `message` says which.'],
  api_key_required: [401, 'This endpoint requires an API key in `X-API-Key`.'],
  api_key_invalid: [401, 'The API key is unknown, expired or revoked.'],
  token_rejected: [401, 'The token of the CI system was not accepted; `message` says why.'],
  session_required: [401, 'Not signed in to the console, or the session has ended.'],
  session_stolen: [401, 'The session was ended, because an older copy of its cookie was used.'],
  share_password_required: [401, 'The share is protected by a password.'],
  share_password_wrong: [401, 'The password of the share is wrong.'],
  sign_in_failed: [401, 'The passkey is unknown, or its signature is not valid.'],
  credits_exhausted: [402, 'The workspace has no credits left. Nothing was stored.'],
  api_access_off: [403, "The workspace's plan does not include API access."],
  scope_missing: [403, 'The API key does not have the scope that this needs; `message` names it.'],
  tenant_not_yours: [403, '`tenant_id` is not the workspace of the API key.'],
  role_insufficient: [403, "The member's role does not permit this."],
  cross_site_refused: [403, 'The request was sent by another website (CSRF protection).'],
  route_not_found: [404, 'No route matches this path.'],
  job_not_found: [404, 'No such job in this workspace.'],
  kit_not_found: [404, 'No such kit, or it is not visible to the caller.'],
  submission_not_found: [404, 'No such submission in this workspace.'],
  upload_not_found: [404, 'The submission has no resumable upload with this ID.'],
  deliverable_not_found: [404, 'The submission has no deliverable with this name, or not yet.'],
  request_not_found: [404, 'No such request in this workspace.'],
  request_item_not_found: [404, 'The request has no item with this ID.'],
  program_not_found: [404, 'No such program in this workspace.'],
  period_not_found: [404, 'The program has no period with this name.'],
  period_item_not_found: [404, 'The period has no item with this ID.'],
  period_file_not_found: [404, 'The draft of the period has no file at this position.'],
  link_not_found: [404, 'The link is unknown, expired or revoked.'],
  webhook_not_found: [404, 'No such webhook in this workspace.'],
  federation_limit: [409, 'The workspace has as many federations as it can have.'],
  webhook_limit: [409, 'The workspace has as many webhooks as it can have.'],
  profile_not_found: [404, 'No such profile in this workspace.'],
  key_not_found: [404, 'No such API key in this workspace, or it is revoked.'],
  federation_not_found: [404, 'No such federation in this workspace.'],
  workspace_not_found: [404, 'No such workspace on this service.'],
  plan_not_found: [404, 'No such plan on this service.'],
  member_not_found: [404, 'No such member in this workspace.'],
  invitation_not_found: [404, 'No such open invitation in this workspace.'],
  invitation_invalid: [404, 'The invitation link is unknown, used, expired or revoked.'],
  series_not_found: [404, 'No submission of this workspace names this series.'],
  share_not_found: [404, 'No such share in this workspace, or the link of the share is not valid.'],
  comment_not_found: [404, 'The room has no comment with this ID.'],
  room_not_found: [404, 'No such room in this workspace.'],
  shared_file_not_found: [404, 'The share does not include a file with this path.'],
  session_not_found: [404, 'The member has no session with this ID.'],
  passkey_not_found: [404, 'The member has no passkey with this ID.'],
  tile_not_found: [404, 'The log has no tile at this path, or not yet.'],
  erasure_not_found: [404, 'The evidence of this kit was not erased.'],
  schema_not_found: [404, 'No schema with this name.'],
  method_not_allowed: [405, 'The path does not support this method; see `Allow`.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_key_reused: [409, 'This `Idempotency-Key` was used before with a different body.'],
  profile_exists: [409, 'The workspace or the service has a profile with this name.'],
  profile_read_only: [409, 'The profile ships with the service and cannot be changed.'],
  profile_limit: [409, 'The workspace has as many profiles as it can have.'],
  job_not_bindable: [409, 'The job is not a draft, or is bound to a submission already.'],
  submission_submitted: [409, 'The submission was submitted and accepts no more evidence.'],
  upload_in_progress: [409, 'Another upload for this submission is in progress.'],
  upload_offset_wrong: [409, '`Upload-Offset` is not the offset of the upload; get it with HEAD.'],
  upload_finished: [409, 'The resumable upload is finished; its file is evidence of the submission.'],
  uploads_unfinished: [409, 'The submission has resumable uploads that are not finished.'],
  room_full: [409, 'The room has as many comments and reviews as it can.'],
  request_not_open: [409, 'The request is accepted or closed, so nothing can be changed.'],
  mail_off: [409, 'The service has no mail server, so it sends no mail.'],
  request_without_recipients: [409, 'The request has no recipients, so there is nobody to remind.'],
  request_item_locked: [
    409,
    'The requester has decided on the item. It can be changed when they send it back.',
  ],
  request_item_without_files: [409, 'The item has no submitted files, so it cannot be accepted.'],
  request_review_sealed: [409, 'There is no review to take back, or a kit has it.'],
  program_ended: [409, 'The program was ended, so nothing can be changed and no period opens.'],
  period_not_begun: [409, 'The period has not begun; send `early` to seal it.'],
  request_unchanged: [409, 'Nothing has changed since items of the request were sent back.'],
  period_sealed: [409, 'The period is sealed, or being sealed, so nothing can be changed.'],
  period_item_without_files: [409, 'The item has no files, so it cannot be reviewed or accepted.'],
  comment_limit: [409, 'The period has as many comments as it can have.'],
  submission_of_period: [
    409,
    'The draft belongs to a period of a program, which is sealed and corrected as a whole.',
  ],
  submission_of_request: [409, 'The files were sent for a request. They are corrected through its link.'],
  submission_not_failed: [409, 'Only a failed submission can be resubmitted.'],
  evidence_gone: [409, 'The earlier evidence has been deleted and cannot be reused.'],
  key_not_revoked: [
    409,
    'The kit’s signing key is not revoked, or there is no kit, so nothing is re-issued.',
  ],
  kit_unverified: [409, 'The receipt of the kit does not verify now, so the kit is not exported.'],
  kit_already_reissued: [409, 'The kit was re-issued already, or is being re-issued.'],
  submission_held: [409, 'The submission is under a legal hold, so its evidence cannot be deleted.'],
  series_fixed: [409, 'The submission belongs to another series. A kit stays in its series.'],
  submission_running: [409, 'The submission is being processed. Try again when it is PASS or FAIL.'],
  ceremony_over: [409, 'The sign-in or registration timed out, or was already completed.'],
  member_exists: [409, 'The workspace already has a member with this email address.'],
  sso_required: [
    409,
    'The address belongs to a person who signs in with single sign-on, which has to be used.',
  ],
  email_fixed: [409, 'The sign-in provider decides the email address of this member.'],
  plan_exists: [409, 'The service has a plan with this name.'],
  workspace_name_changed: [409, 'The workspace has another name now, so nothing was confirmed.'],
  last_owner: [409, 'The last owner of a workspace cannot be removed or demoted.'],
  last_passkey: [409, 'The last passkey of a member cannot be removed.'],
  kit_expired: [
    410,
    "The kit's retention has ended and its files are deleted. Manifest and receipt are still available.",
  ],
  share_replaced: [410, 'The link of the share was replaced with a new one.'],
  share_expired: [410, 'The share has expired.'],
  share_revoked: [410, 'The share was revoked by its sender.'],
  share_exhausted: [410, 'The download limit of the share is reached.'],
  upload_expired: [410, 'The resumable upload has expired, or its stored part is gone. Start a new one.'],
  tus_version_unsupported: [412, '`Tus-Resumable` is missing or not 1.0.0.'],
  precondition_failed: [412, 'The resource does not match `If-Match`.'],
  body_too_large: [413, 'The body exceeds the limit of this endpoint.'],
  upload_too_large: [413, 'The uploads of this submission exceed the limit of the plan.'],
  storage_limit_reached: [
    413,
    'The workspace, or the link of the request, stores as many bytes as it may; `message` says which.',
  ],
  media_type_unsupported: [415, 'This endpoint does not accept the media type of the body.'],
  range_not_satisfiable: [416, 'The range is outside the file.'],
  expectation_failed: [417, 'The only supported `Expect` value is `100-continue`.'],
  host_unknown: [421, '`Host` is not the host of the issuer, an IP address or a loopback name.'],
  upload_locked: [423, 'All bytes of the resumable upload have arrived and are being stored. Ask again.'],
  rate_limited: [429, 'Too many requests; retry after `Retry-After` seconds.'],
  streams_exhausted: [429, 'Too many open event streams; close one, or poll instead.'],
  headers_too_large: [431, 'The request headers are too large.'],
  checksum_mismatch: [460, 'The content does not match `Upload-Checksum` and was discarded.'],
  internal_error: [500, 'An error in the service. The operator can find it in the log by `request_id`.'],
  overloaded: [503, 'The service is overloaded; retry after `Retry-After` seconds.'],
  store_unavailable: [503, 'The database or object store is unavailable; retry after `Retry-After` seconds.'],
  object_unavailable: [
    503,
    'A stored file is missing or damaged. The operator can restore it from a backup; the log has the `request_id`.',
  ],
  issuer_unavailable: [503, 'The keys of the issuer of the token cannot be fetched; `message` says why.'],
  oidc_unavailable: [503, 'The OpenID Connect provider is unavailable.'],
  pages_not_built: [503, 'The web pages have not been built.'],
  stopping: [503, 'The service is shutting down; retry after `Retry-After` seconds.'],
  storage_full: [507, 'The disks of the service are almost full, so it accepts no uploads for now.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

export type RefusalCode = keyof typeof REFUSALS

type Sentence = Extract<keyof MessageArguments, `error.${string}` | `request.problems.${string}`>
type Said = { [Key in Sentence]: keyof MessageArguments[Key] }[Sentence]

export interface RefusalDetails {
  /** What `error.CODE` of texts/ has in its braces. It is data, and escaped. */
  readonly args?: { readonly [Name in Said]?: string | number }
  /** Logged, never sent to the caller. */
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The body member, form field, query parameter, path parameter or header that the error is about. */
  readonly param?: string | undefined
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly args: Readonly<Record<string, string | number>>
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>
  readonly param: string | undefined

  /** `message` is sent to the caller. */
  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    const args = Object.entries(details.args ?? {})
    this.args = Object.fromEntries(args.map(([name, value]) => [name, asData(value)]))
    this.code = code
    this.headers = details.headers ?? {}
    this.param = details.param
  }

  get status(): number {
    return REFUSALS[this.code][0]
  }
}

const MAX_ARG = 500

const asData = (value: string | number): string | number =>
  typeof value === 'number' ? value : escapeHidden(value.slice(0, MAX_ARG).toWellFormed())
