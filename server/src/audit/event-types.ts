export interface EventType {
  readonly summary: string
  /** What `subject` identifies. */
  readonly subject: string
  /** `data` by example. A name with a question mark is not always there, and a null may be a string. */
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

const row = (summary: string, subject: string, data: EventType['data'] = {}): EventType => ({
  summary,
  subject,
  data,
})

const TIME = '2026-11-01T12:00:00.000Z'
const KIT = 'kit_4Xw0s6S1d2v3b4n5m6a7s8d9f0g'
const SUBMISSION = 'sub_4Xw0s6S1d2v3b4n5m6a7s8d9f0g'

const FEDERATION = {
  label: 'GitHub Actions',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://kits.example',
  claims: '[{"claim":"repository","equals":"acme/evidence"}]',
  scopes: 'submit read',
}

const ITEM_COMMENT = { item: 'a-1', comment_id: 'cmt_a', sha256: '9f86d081…' }
const COMMENT = { kit_id: KIT, comment_id: 'cmt_a', sha256: '9f86d081…', 'name?': 'data/report.pdf' }
const REVIEW = { kit_id: KIT, 'name?': 'data/report.pdf', 'item?': 'a-1', recipient: null }

/** Every type of event: the actions of the audit log. */
export const EVENT_TYPES = {
  'workspace.created': row('A workspace was created.', 'workspace', { 'plan?': 'default', 'name?': 'Acme' }),
  'workspace.changed': row('The name or the settings of the workspace changed.', 'workspace', {
    'name?': 'Acme Ltd',
    'public_kits?': 'none',
    'language?': 'de',
  }),
  'workspace.name_confirmed': row('The operator confirmed the name.', 'workspace', { name: 'Acme Ltd' }),
  'plan.changed': row('The limits of the plan changed.', 'plan', { 'upload_limit_bytes?': 104_857_600 }),
  'key.created': row('An API key was created.', 'API key', {
    label: 'CI',
    expires_at: null,
    'scopes?': 'submit read',
    'federation_id?': 'fed_4Xw0s6S1d2v3b4n5m6a7s8d9f0g',
  }),
  'key.rotated': row('An API key was replaced.', 'API key', { replaced_by: 'key_b', expires_at: TIME }),
  'key.extended': row(
    'A member or the operator gave an API key a new expiry, or kept it when its maker was removed.',
    'API key',
    {
      expires_at: null,
      created_by: null,
    },
  ),
  'key.revoked': row('An API key was revoked.', 'API key', { 'ended_with?': 'key_a' }),
  'federation.created': row('A federation was created.', 'federation', FEDERATION),
  'federation.changed': row('A federation was changed.', 'federation', FEDERATION),
  'federation.deleted': row('A federation was deleted, and its tokens were revoked.', 'federation', {
    ...FEDERATION,
    'ended_with?': 'key_a',
  }),
  'credits.granted': row('Credits were added.', 'workspace', { credits: 10, 'note?': 'invoice 7' }),
  'job.created': row('An intake job was created without a submission.', 'job', { status: 'SUBMITTED' }),
  'job.issued': row('The kit of such a job was issued.', 'job', { 'kit_id?': KIT }),
  'job.failed': row('Such a job failed.', 'job', { 'blockers?': 1 }),
  'job.expired': row('Such a job expired.', 'job', { 'kit_id?': KIT }),
  'submission.created': row('A draft was created.', 'submission', {
    job_id: 'job_a',
    profile: 'default',
    'replaces?': KIT,
  }),
  'submission.changed': row('Tags, metadata or the external ID changed.', 'submission', {
    changed: 'external_id tags',
  }),
  'evidence.received': row('Files were uploaded to a draft.', 'submission', { files: 3, bytes: 4096 }),
  'submission.sealed': row('All files are there; the check begins.', 'submission', { files: 3, bytes: 4096 }),
  'submission.passed': row('The kit was issued.', 'submission', { kit_id: KIT }),
  'submission.failed': row('The evidence has blockers; no kit was issued.', 'submission', { blockers: 2 }),
  'deliverable.downloaded': row('A file of a kit was downloaded.', 'submission, job or kit', {
    name: 'kit.zip',
    access: 'key',
    bytes: 4096,
  }),
  'kit.expired': row('The evidence of a kit was deleted at the end of its retention.', 'kit', {
    job_id: 'job_a',
    retention_days: 365,
    files: 3,
    bytes: 4096,
  }),
  'submission.held': row('A legal hold was placed.', 'submission', { reason: 'Case 7' }),
  'submission.released': row('A legal hold was released.', 'submission'),
  'submission.erased': row('The evidence of a kit was deleted on request.', 'submission', {
    kit_id: KIT,
    files: 3,
    bytes: 4096,
  }),
  'submission.deleted': row('A draft or failed submission was deleted.', 'submission', {
    files: 3,
    bytes: 4096,
  }),
  'submission.expired': row('A draft was not submitted in time.', 'submission', { bytes: 4096 }),
  'submission.resubmitted': row('The evidence was submitted again.', 'submission', { as: SUBMISSION }),
  'submission.reissued': row('The kit was re-issued with a new key.', 'submission', { as: SUBMISSION }),
  'request.created': row('A request for evidence was created.', 'request', { items: 12, due_at: TIME }),
  'request.changed': row('A request was changed.', 'request', { 'due_at?': TIME }),
  'request.link_created': row('A link for the supplier was created.', 'request', { link_id: 'lnk_a' }),
  'request.links_revoked': row('The links of a request were revoked.', 'request', { links: 1 }),
  'request.reminded': row('The supplier was reminded.', 'request'),
  'request.started': row('The supplier began a round.', 'request', { round: 1, submission_id: SUBMISSION }),
  'request.commented': row('Someone commented on an item.', 'request', ITEM_COMMENT),
  'request.item_accepted': row('The requester accepted an item.', 'request', { 'item_id?': 'a-1' }),
  'request.item_reopened': row('The requester asks for changes of an item.', 'request', {
    'item_id?': 'a-1',
  }),
  'request.item_not_applicable': row('Someone said that an item does not apply.', 'request', {
    'item_id?': 'a-1',
  }),
  'request.item_undone': row('A review or an answer of an item was taken back.', 'request', {
    'item_id?': 'a-1',
  }),
  'request.closed': row('A request was closed.', 'request'),
  'program.created': row('A program was created.', 'program', { items: 20, cadence: 'quarterly' }),
  'program.changed': row('A program was changed.', 'program', { changed: 'items name' }),
  'program.ended': row('A program was ended.', 'program'),
  'program.period_opened': row('A period of a program opened.', 'program', {
    period: '2026-Q4',
    submission_id: SUBMISSION,
  }),
  'program.period_sealed': row('The files of a period were submitted; the check begins.', 'program', {
    period: '2026-Q4',
    submission_id: SUBMISSION,
    items: 20,
    missing: 1,
  }),
  'program.item_reviewed': row('An item of a period was reviewed, or its review taken back.', 'program', {
    period: '2026-Q4',
    item: 'a-1',
    status: 'accepted',
  }),
  'program.item_changed': row('The owner or the due date of an item changed.', 'program', {
    period: '2026-Q4',
    item: 'a-1',
    changed: 'due_at owner',
  }),
  'program.commented': row('Someone commented on an item.', 'program', {
    period: '2026-Q4',
    ...ITEM_COMMENT,
  }),
  'program.file_removed': row('A file was removed from an item.', 'program', {
    period: '2026-Q4',
    item: 'a-1',
  }),
  'profile.created': row('A profile was created.', 'profile'),
  'profile.changed': row('A profile has a new version.', 'profile'),
  'profile.deleted': row('A profile was deleted.', 'profile'),
  'signing_key.revoked': row('The operator revoked a key that signed kits of the workspace.', 'signing key', {
    kits: 12,
    'compromised_since?': TIME,
  }),
  'member.invited': row('Someone was invited.', 'invitation', {
    email: 'ann@example.com',
    role: 'member',
    'member_id?': 'mem_a',
  }),
  'member.joined': row('An invitation was accepted.', 'member', {
    email: 'ann@example.com',
    role: 'member',
    invitation_id: 'inv_a',
  }),
  'member.changed': row(
    'The role, name or email address of a member changed, or single sign-on or a link of the operator proved the address.',
    'member',
    {
      'from?': 'member',
      'to?': 'owner',
      'name?': 'Ann Meier',
      'single_sign_on?': true,
      'confirmed?': true,
      'email?': 'ann@example.com',
    },
  ),
  'member.removed': row('A member was removed.', 'member', { email: 'ann@example.com' }),
  'member.access_reset': row(
    'The operator deleted the passkeys of a member, ended their sessions, and mailed them a new link.',
    'member',
    { email: 'ann@example.com', 'operator?': 'ops@example.com' },
  ),
  'invitation.revoked': row('An invitation was revoked.', 'invitation', { email: 'ann@example.com' }),
  'passkey.added': row('A member added a passkey.', 'member', { label: 'Laptop' }),
  'passkey.renamed': row('A member renamed a passkey.', 'member', { from: 'Laptop', to: 'Old laptop' }),
  'passkey.removed': row('A member removed a passkey.', 'member', { label: 'Laptop' }),
  'share.created': row('A kit was shared, or a room was opened.', 'share or room', {
    'kit_id?': KIT,
    'files?': 2,
    'title?': 'Audit 2026',
    'kits?': KIT,
    'series?': 'Access review',
    'expires_at?': TIME,
    'recipients?': 'ann@auditor.example, bob@auditor.example',
  }),
  'share.changed': row('Expiry, password or download limit of a share or room changed.', 'share or room', {
    'kit_id?': KIT,
    'expires_at?': TIME,
    'max_downloads?': 3,
    'has_password?': true,
  }),
  'share.link_created': row('A link of a share or room was created, or replaced.', 'share or room', {
    'kit_id?': KIT,
    recipient: null,
    replaced: true,
  }),
  'share.link_revoked': row('The link of one recipient was revoked.', 'share or room', {
    'kit_id?': KIT,
    recipient: null,
  }),
  'share.opened': row('Someone opened the page of a share or room.', 'share or room', {
    'kit_id?': KIT,
    recipient: null,
  }),
  'share.downloaded': row('Someone downloaded from a share or room.', 'share or room', {
    kit_id: KIT,
    name: 'kit.zip',
    recipient: null,
  }),
  'share.commented': row('Someone commented in a room, or asked.', 'room', COMMENT),
  'share.comment_erased': row('The text of a comment was erased.', 'room', COMMENT),
  'share.question_resolved': row('A question was resolved.', 'room', COMMENT),
  'share.question_reopened': row('A question was opened again.', 'room', COMMENT),
  'share.reviewed': row('A reviewer says that they reviewed a kit, a file or an item.', 'room', REVIEW),
  'share.review_withdrawn': row('A reviewer took that back.', 'room', REVIEW),
  'share.revoked': row('A share or room was revoked.', 'share or room', { 'kit_id?': KIT }),
  'webhook.created': row('A webhook was created.', 'webhook'),
  'webhook.changed': row('A webhook was changed, enabled or disabled.', 'webhook'),
  'webhook.secret_rotated': row('The secret of a webhook was rotated.', 'webhook'),
  'webhook.replayed': row('A webhook gets earlier events again.', 'webhook'),
  'webhook.disabled': row('The service disabled a webhook that failed for three days.', 'webhook'),
  'webhook.deleted': row('A webhook was deleted.', 'webhook'),
  'session.started': row('A member signed in.', 'session', {
    method: 'passkey',
    browser: 'Firefox on Linux',
  }),
  'session.ended': row('A session ended.', 'session', { 'reason?': 'signed out' }),
  'operator.added': row('A member became an operator of the service.', 'member', {
    email: 'ann@example.com',
  }),
  'operator.removed': row('A member is no longer an operator of the service.', 'member', {
    email: 'ann@example.com',
  }),
} as const satisfies Readonly<Record<string, EventType>>

export type AuditAction = keyof typeof EVENT_TYPES

declare module '../database/unit.ts' {
  interface EventNames extends Readonly<Record<AuditAction, EventType>> {}
}

const NULLABLE = ['string', 'null']

/** JSON Schema of an event of a type. */
export function eventSchema(type: AuditAction): object {
  const { data, subject }: EventType = EVENT_TYPES[type]
  const members = Object.entries(data).map(([name, example]) => [name.replace('?', ''), example] as const)
  return {
    type: 'object',
    required: ['seq', 'type', 'timestamp', 'workspace_id', 'actor', 'subject', 'data'],
    properties: {
      seq: { type: 'integer', minimum: 1 },
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time' },
      workspace_id: { type: 'string' },
      actor: { type: 'string' },
      subject: { type: 'string', description: `ID of the ${subject}.` },
      data: {
        type: 'object',
        required: Object.keys(data).filter((name) => !name.endsWith('?')),
        properties: Object.fromEntries(
          members.map(([name, example]) => [name, { type: typeOf(name, example) }]),
        ),
      },
    },
  }
}

function typeOf(name: string, example: EventType['data'][string]): string | readonly string[] {
  if (example === null || name.endsWith('_at')) return NULLABLE
  return typeof example === 'number' ? 'integer' : typeof example
}

/** An event of a type, as an example. */
export function exampleEvent(type: AuditAction): object {
  const { data, subject }: EventType = EVENT_TYPES[type]
  return {
    seq: 42,
    type,
    timestamp: TIME,
    workspace_id: 'ws_4Xw0s6S1d2v3b4n5m6a7s8d9f0g',
    actor: 'service',
    subject: subject === 'submission' ? SUBMISSION : subject === 'kit' ? KIT : `ID of the ${subject}`,
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name.replace('?', ''), value])),
  }
}
