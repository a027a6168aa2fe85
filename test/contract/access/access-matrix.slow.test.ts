import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Caller,
  CALLERS,
  INVALID,
  type AccessFixture,
  accessFixture,
  type Scope,
} from '../../kit/access-fixture.ts'
import { operations } from '../../kit/openapi.ts'
import { samplePages } from '../../kit/pages.ts'
import { printedRoutes } from '../../kit/routes.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form } from '../../kit/workspace.ts'

let service: TestService
let fixture: AccessFixture
const pages = samplePages()
before(async () => {
  service = await testService({}, undefined, { pages: pages.folder })
  fixture = await accessFixture(service)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

type Statuses = Readonly<Record<Exclude<Caller, (typeof INVALID)[number]>, number>>

interface Row {
  readonly path: (fixture: AccessFixture) => string
  readonly body?: (fixture: AccessFixture) => {
    readonly type?: string
    readonly content: string | Buffer | FormData
  }
  readonly headers?: Readonly<Record<string, string>>
  /** The status for each caller. Invalid keys get 401 everywhere. */
  readonly statuses: Statuses
}

const EVERYONE = statuses(200, 200, 200, 200)
/** Public by ID, but this workspace has private kits. */
const PRIVATE = statuses(404, 404, 404, 200)
const OWN = statuses(401, 404, 403, 200)
/** `DELETE` of something of the workspace. */
const DELETED = statuses(401, 404, 403, 204)

const PROFILE = { profile: 'board-pack', title: 'Board pack', description: 'For each meeting.', items: [] }
const TUS = { 'tus-resumable': '1.0.0' }

/** Every route and its status for each caller. A route without a row fails below. */
const ROUTES: Readonly<Record<string, Row>> = {
  'POST /v1/intake/jobs': {
    path: () => '/v1/intake/jobs',
    body: ({ owner }) => json({ tenant_id: owner.workspaceId, scope_label: 'for another workspace' }),
    statuses: statuses(202, 403, 403, 202),
  },
  'GET /v1/intake/jobs/:job_id': { path: ({ jobId }) => `/v1/intake/jobs/${jobId}`, statuses: PRIVATE },
  'GET /v1/kits/:kit_id': { path: ({ kitId }) => `/v1/kits/${kitId}`, statuses: PRIVATE },
  'GET /v1/kits/:kit_id/files/*': {
    path: ({ kitId }) => `/v1/kits/${kitId}/files/data/a.txt`,
    statuses: PRIVATE,
  },
  'GET /v1/kits/:kit_id/manifest': { path: ({ kitId }) => `/v1/kits/${kitId}/manifest`, statuses: PRIVATE },
  'GET /v1/kits/:kit_id/receipt': { path: ({ kitId }) => `/v1/kits/${kitId}/receipt`, statuses: PRIVATE },
  'GET /v1/kits/:kit_id/log-proof': { path: ({ kitId }) => `/v1/kits/${kitId}/log-proof`, statuses: PRIVATE },
  'GET /v1/kits/:kit_id/export/:format': {
    path: ({ kitId }) => `/v1/kits/${kitId}/export/in-toto`,
    statuses: PRIVATE,
  },
  // The evidence was not erased.
  'GET /v1/kits/:kit_id/erasure': {
    path: ({ kitId }) => `/v1/kits/${kitId}/erasure`,
    statuses: statuses(404, 404, 404, 404),
  },
  'GET /v1/kits/:kit_id/download': { path: ({ kitId }) => `/v1/kits/${kitId}/download`, statuses: PRIVATE },
  'POST /v1/verify/receipt': {
    path: () => '/v1/verify/receipt',
    body: ({ receipt }) => ({ type: 'application/json', content: receipt }),
    statuses: EVERYONE,
  },
  'POST /v1/verify/kit': {
    path: () => '/v1/verify/kit',
    body: ({ kit }) => ({ type: 'application/zip', content: kit }),
    statuses: EVERYONE,
  },
  'POST /v1/submissions': {
    path: () => '/v1/submissions',
    body: () => json({ label: 'another' }),
    statuses: statuses(401, 201, 403, 201),
  },
  'GET /u/:token': { path: () => `/u/${'x'.repeat(43)}`, statuses: statuses(404, 404, 404, 404) },
  'POST /u/:token': {
    path: () => `/u/${'x'.repeat(43)}`,
    body: () => ({ type: 'application/x-www-form-urlencoded', content: 'List-Unsubscribe=One-Click' }),
    statuses: statuses(404, 404, 404, 404),
  },
  // An endless response, so the parameter is wrong.
  'GET /v1/events/stream': {
    path: () => '/v1/events/stream?after=x',
    statuses: statuses(401, 400, 403, 400),
  },
  'GET /.well-known/webhook-keys.json': {
    path: () => '/.well-known/webhook-keys.json',
    statuses: EVERYONE,
  },
  'POST /v1/webhooks': {
    path: () => '/v1/webhooks',
    body: () => json({ url: 'https://example.com/hook', types: ['key.revoked'] }),
    statuses: statuses(401, 201, 403, 201),
  },
  'GET /v1/webhooks': { path: () => '/v1/webhooks', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/webhooks/:webhook_id': { path: webhook(''), statuses: OWN },
  'PATCH /v1/webhooks/:webhook_id': { path: webhook(''), body: () => json({}), statuses: OWN },
  'POST /v1/webhooks/:webhook_id/rotate': { path: webhook('/rotate'), body: () => json({}), statuses: OWN },
  'POST /v1/webhooks/:webhook_id/replay': {
    path: webhook('/replay'),
    body: () => json({ after: 0 }),
    statuses: OWN,
  },
  'POST /v1/webhooks/:webhook_id/ping': { path: webhook('/ping'), statuses: OWN },
  'GET /v1/webhooks/:webhook_id/attempts': { path: webhook('/attempts'), statuses: OWN },
  'DELETE /v1/webhooks/:webhook_id': { path: webhook(''), statuses: DELETED },
  'GET /v1/events': { path: () => '/v1/events', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/submissions': { path: () => '/v1/submissions', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/submissions/:submission_id': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}`,
    statuses: OWN,
  },
  'PATCH /v1/submissions/:submission_id': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}`,
    body: () => json({ tags: ['q3'] }),
    statuses: OWN,
  },
  'GET /v1/submissions/:submission_id/deliverables': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables`,
    statuses: OWN,
  },
  'GET /v1/submissions/:submission_id/deliverables/*': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables/kit.zip`,
    statuses: OWN,
  },
  'GET /v1/submissions/:submission_id/deliverables/reports/:report': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables/reports/intake_report.json`,
    statuses: OWN,
  },
  'POST /v1/submissions/:submission_id/evidence': {
    path: ({ pendingId }) => `/v1/submissions/${pendingId}/evidence`,
    body: () => ({ content: form({ 'a.txt': 'any content' }) }),
    statuses: statuses(401, 404, 403, 202),
  },
  'OPTIONS /v1/submissions/:submission_id/uploads': { path: uploads, statuses: statuses(401, 404, 403, 204) },
  'GET /v1/submissions/:submission_id/uploads': { path: uploads, headers: TUS, statuses: OWN },
  'POST /v1/submissions/:submission_id/uploads': {
    path: uploads,
    headers: { ...TUS, 'upload-length': '10', 'upload-metadata': 'filename YS50eHQ=' },
    statuses: statuses(401, 404, 403, 201),
  },
  'GET /v1/submissions/:submission_id/uploads/:upload_id': { path: upload, headers: TUS, statuses: OWN },
  'PATCH /v1/submissions/:submission_id/uploads/:upload_id': {
    path: upload,
    headers: { ...TUS, 'upload-offset': '0' },
    body: () => ({ type: 'application/offset+octet-stream', content: '' }),
    statuses: statuses(401, 404, 403, 204),
  },
  'POST /v1/submissions/:submission_id/uploads/:upload_id': {
    path: upload,
    headers: { ...TUS, 'upload-offset': '0', 'x-http-method-override': 'PATCH' },
    body: () => ({ type: 'application/offset+octet-stream', content: '' }),
    statuses: statuses(401, 404, 403, 204),
  },
  'DELETE /v1/submissions/:submission_id/uploads/:upload_id': {
    path: upload,
    headers: TUS,
    statuses: statuses(401, 404, 403, 204),
  },
  // 409 for the owner: the key is not revoked.
  'POST /v1/submissions/:submission_id/reissue': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/reissue`,
    body: () => json({}),
    statuses: statuses(401, 404, 403, 409),
  },
  // 409 for the owner: it has not failed.
  'POST /v1/submissions/:submission_id/resubmit': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/resubmit`,
    body: () => json({ keep: [] }),
    statuses: statuses(401, 404, 403, 409),
  },
  'GET /v1/revocations': { path: () => '/v1/revocations', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/overview': { path: () => '/v1/overview', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/audit/people': { path: () => '/v1/audit/people', statuses: statuses(401, 200, 403, 200) },
  'PUT /v1/submissions/:submission_id/hold': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/hold`,
    body: () => json({ reason: 'Case 7' }),
    statuses: statuses(401, 404, 403, 200),
  },
  // 409 for the owner: the submission is under a hold.
  'DELETE /v1/submissions/:submission_id': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}`,
    statuses: statuses(401, 404, 403, 409),
  },
  'DELETE /v1/submissions/:submission_id/hold': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/hold`,
    statuses: DELETED,
  },
  'GET /v1/me': { path: () => '/v1/me', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/profiles': { path: () => '/v1/profiles', statuses: statuses(401, 200, 403, 200) },
  'POST /v1/profiles': {
    path: () => '/v1/profiles',
    body: () => json(PROFILE),
    statuses: statuses(401, 201, 403, 201),
  },
  'GET /v1/profiles/:profile': {
    path: () => '/v1/profiles/access-review',
    statuses: statuses(401, 200, 403, 200),
  },
  // 409: it ships with the service.
  'PUT /v1/profiles/:profile': {
    path: () => '/v1/profiles/access-review',
    body: () => json({ ...PROFILE, profile: 'access-review' }),
    statuses: statuses(401, 409, 403, 409),
  },
  'DELETE /v1/profiles/:profile': {
    path: () => '/v1/profiles/access-review',
    statuses: statuses(401, 409, 403, 409),
  },
  'POST /v1/shares': {
    path: () => '/v1/shares',
    body: ({ kitId }) => json({ kit_id: kitId, expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
    statuses: statuses(401, 404, 403, 201),
  },
  'GET /v1/series': { path: () => '/v1/series', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/series/:series': { path: () => '/v1/series/Access%20review', statuses: OWN },
  'GET /v1/compare': { path: ({ kitId }) => `/v1/compare?from=${kitId}&to=${kitId}`, statuses: OWN },
  'GET /v1/shares': { path: () => '/v1/shares', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/shares/:share_id': { path: ({ shareId }) => `/v1/shares/${shareId}`, statuses: OWN },
  'GET /v1/shares/:share_id/accesses': {
    path: ({ shareId }) => `/v1/shares/${shareId}/accesses`,
    statuses: OWN,
  },
  'GET /s/:token': { path: ({ sharePath }) => sharePath, statuses: EVERYONE },
  'GET /s/:token/share.json': { path: below('share.json'), statuses: EVERYONE },
  'GET /s/:token/kit.zip': { path: below('kit.zip'), statuses: EVERYONE },
  'GET /s/:token/files/*': { path: below('files/data/a.txt'), statuses: EVERYONE },
  'GET /s/:token/proofs/*': { path: below('proofs/data/a.txt'), statuses: EVERYONE },
  'GET /s/:token/view/kit.zip': { path: below('view/kit.zip'), statuses: EVERYONE },
  'GET /s/:token/view/files/*': { path: below('view/files/data/a.txt'), statuses: EVERYONE },
  'POST /s/:token/unlock': {
    path: below('unlock'),
    body: () => json({ password: 'none is needed' }),
    statuses: statuses(204, 204, 204, 204),
  },
  'GET /s/:token/remarks.json': { path: inRoom('remarks.json'), statuses: EVERYONE },
  'GET /s/:token/kits.zip': { path: inRoom('kits.zip'), statuses: EVERYONE },
  'GET /s/:token/kits/:kit_id/share.json': { path: ofKit('share.json'), statuses: EVERYONE },
  'GET /s/:token/kits/:kit_id/kit.zip': { path: ofKit('kit.zip'), statuses: EVERYONE },
  'GET /s/:token/kits/:kit_id/files/*': { path: ofKit('files/data/a.txt'), statuses: EVERYONE },
  'GET /s/:token/kits/:kit_id/proofs/*': { path: ofKit('proofs/data/a.txt'), statuses: EVERYONE },
  'GET /s/:token/kits/:kit_id/view/kit.zip': { path: ofKit('view/kit.zip'), statuses: EVERYONE },
  'GET /s/:token/kits/:kit_id/view/files/*': { path: ofKit('view/files/data/a.txt'), statuses: EVERYONE },
  'POST /s/:token/comments': {
    path: inRoom('comments'),
    body: ({ kitId }) => json({ kit_id: kitId, text: 'Why?', name: 'Ann' }),
    statuses: statuses(201, 201, 201, 201),
  },
  // The question was not asked with the link.
  'PATCH /s/:token/comments/:comment_id': {
    path: ({ roomPath, commentId }) => `${roomPath}/comments/${commentId}`,
    body: () => json({ state: 'resolved', name: 'Ann' }),
    statuses: statuses(404, 404, 404, 404),
  },
  'PUT /s/:token/reviews': {
    path: inRoom('reviews'),
    body: ({ kitId }) => json({ kit_id: kitId, is_reviewed: true, name: 'Ann' }),
    statuses: statuses(204, 204, 204, 204),
  },
  'PATCH /v1/shares/:share_id': {
    path: ({ shareId }) => `/v1/shares/${shareId}`,
    body: () => json({ max_downloads: 1_000_000 }),
    statuses: OWN,
  },
  'POST /v1/shares/:share_id/links': {
    path: ({ shareId }) => `/v1/shares/${shareId}/links`,
    body: () => json({ recipient: 'ann@auditor.example' }),
    statuses: statuses(401, 404, 403, 201),
  },
  'DELETE /v1/shares/:share_id/links': {
    path: ({ shareId }) => `/v1/shares/${shareId}/links?recipient=ann%40auditor.example`,
    statuses: DELETED,
  },
  // The last row of shares: the owner revokes it.
  'DELETE /v1/shares/:share_id': { path: ({ shareId }) => `/v1/shares/${shareId}`, statuses: DELETED },
  'POST /v1/rooms': {
    path: () => '/v1/rooms',
    body: ({ kitId }) =>
      json({ title: 'room', kits: [kitId], expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
    statuses: statuses(401, 404, 403, 201),
  },
  'GET /v1/rooms': { path: () => '/v1/rooms', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/rooms/:room_id': { path: ({ roomId }) => `/v1/rooms/${roomId}`, statuses: OWN },
  'GET /v1/rooms/:room_id/accesses': { path: ({ roomId }) => `/v1/rooms/${roomId}/accesses`, statuses: OWN },
  'GET /v1/rooms/:room_id/reviews': { path: ({ roomId }) => `/v1/rooms/${roomId}/reviews`, statuses: OWN },
  'GET /v1/rooms/:room_id/comments': { path: ({ roomId }) => `/v1/rooms/${roomId}/comments`, statuses: OWN },
  'POST /v1/rooms/:room_id/comments': {
    path: ({ roomId }) => `/v1/rooms/${roomId}/comments`,
    body: ({ kitId }) => json({ kit_id: kitId, text: 'Who approved this?' }),
    statuses: statuses(401, 404, 403, 201),
  },
  'PATCH /v1/rooms/:room_id/comments/:comment_id': {
    path: ({ roomId, commentId }) => `/v1/rooms/${roomId}/comments/${commentId}`,
    body: () => json({ state: 'resolved' }),
    statuses: OWN,
  },
  'DELETE /v1/rooms/:room_id/comments/:comment_id': {
    path: ({ roomId, commentId }) => `/v1/rooms/${roomId}/comments/${commentId}`,
    statuses: DELETED,
  },
  'PATCH /v1/rooms/:room_id': {
    path: ({ roomId }) => `/v1/rooms/${roomId}`,
    body: () => json({ max_downloads: 1_000_000 }),
    statuses: OWN,
  },
  'POST /v1/rooms/:room_id/links': {
    path: ({ roomId }) => `/v1/rooms/${roomId}/links`,
    body: () => json({ recipient: 'ann@auditor.example' }),
    statuses: statuses(401, 404, 403, 201),
  },
  'DELETE /v1/rooms/:room_id/links': {
    path: ({ roomId }) => `/v1/rooms/${roomId}/links?recipient=ann%40auditor.example`,
    statuses: DELETED,
  },
  // The last row of rooms: the owner revokes it.
  'DELETE /v1/rooms/:room_id': { path: ({ roomId }) => `/v1/rooms/${roomId}`, statuses: DELETED },
  'POST /v1/requests': {
    path: () => '/v1/requests',
    body: () => json({ title: 'another', items: [{ id: 'A', title: 'Accounts' }] }),
    statuses: statuses(401, 201, 403, 201),
  },
  'GET /v1/requests': { path: () => '/v1/requests', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/requests/:evidence_request_id': {
    path: ({ evidenceRequestId }) => `/v1/requests/${evidenceRequestId}`,
    statuses: OWN,
  },
  'GET /v1/requests/:evidence_request_id/comments': {
    path: ({ evidenceRequestId }) => `/v1/requests/${evidenceRequestId}/comments`,
    statuses: OWN,
  },
  'PATCH /v1/requests/:evidence_request_id': {
    path: ({ otherEvidenceRequestId }) => `/v1/requests/${otherEvidenceRequestId}`,
    body: () => json({ title: 'Changed' }),
    statuses: OWN,
  },
  'POST /v1/requests/:evidence_request_id/copy': {
    ...ofRequest('/copy'),
    statuses: statuses(401, 404, 403, 201),
  },
  'POST /v1/requests/:evidence_request_id/links': {
    ...ofRequest('/links'),
    statuses: OWN,
  },
  'DELETE /v1/requests/:evidence_request_id/links': {
    path: ({ otherEvidenceRequestId }) => `/v1/requests/${otherEvidenceRequestId}/links`,
    statuses: DELETED,
  },
  // 409: there is no mail server.
  'POST /v1/requests/:evidence_request_id/remind': {
    ...ofRequest('/remind'),
    statuses: { ...OWN, owner: 409 },
  },
  'POST /v1/requests/:evidence_request_id/items/:item_id': {
    ...ofRequest('/items/A'),
    body: () => json({ status: 'needs_changes', comment: 'Too old.' }),
    statuses: OWN,
  },
  'POST /v1/requests/:evidence_request_id/accept': { ...ofRequest('/accept'), statuses: OWN },
  'POST /v1/requests/:evidence_request_id/close': { ...ofRequest('/close'), statuses: OWN },
  'POST /v1/programs': {
    path: () => '/v1/programs',
    body: () =>
      json({
        name: 'Review',
        cadence: 'none',
        starts_on: '2026-01-01',
        items: [{ item_id: 'A', title: 'A' }],
      }),
    statuses: statuses(401, 201, 403, 201),
  },
  'GET /v1/programs': { path: () => '/v1/programs', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/programs/:program_id': { path: ofProgram(''), statuses: OWN },
  'PATCH /v1/programs/:program_id': {
    path: ofProgram(''),
    body: () => json({ message: 'Soon.' }),
    statuses: OWN,
  },
  'GET /v1/programs/:program_id/board': { path: ofProgram('/board'), statuses: OWN },
  'POST /v1/programs/:program_id/periods': {
    path: ofProgram('/periods'),
    body: () => json({}),
    statuses: statuses(401, 404, 403, 201),
  },
  'GET /v1/programs/:program_id/periods/:period': { path: ofPeriod(''), statuses: OWN },
  'GET /v1/programs/:program_id/periods/:period/comments': { path: ofPeriod('/comments'), statuses: OWN },
  'PATCH /v1/programs/:program_id/periods/:period/items/:item_id': {
    path: ofPeriod('/items/A'),
    body: () => json({ status: 'accepted', comment: 'Hello.' }),
    statuses: OWN,
  },
  'GET /v1/programs/:program_id/periods/:period/evidence/*': {
    path: ofPeriod('/evidence/A/users.csv'),
    statuses: OWN,
  },
  'POST /v1/programs/:program_id/periods/:period/seal': {
    path: ofPeriod('/seal'),
    body: () => json({}),
    statuses: statuses(401, 404, 403, 202),
  },
  // 409: the row before has sealed it.
  'DELETE /v1/programs/:program_id/periods/:period/files/:position': {
    path: ofPeriod('/files/0'),
    statuses: { ...DELETED, owner: 409 },
  },
  // Anyone with the link is the supplier. A key that is sent along is ignored.
  // Programs are redirected to the JSON.
  'GET /r/:token': { path: ({ linkPath }) => linkPath, statuses: EVERYONE },
  'GET /r/:token/request': { path: ({ linkPath }) => `${linkPath}/request`, statuses: EVERYONE },
  'GET /r/:token/comments.json': {
    path: ({ linkPath }) => `${linkPath}/comments.json`,
    statuses: EVERYONE,
  },
  'POST /r/:token/draft': {
    path: ({ linkPath }) => `${linkPath}/draft`,
    statuses: statuses(201, 201, 201, 201),
  },
  // 400: the draft has no file there.
  'DELETE /r/:token/files/:position': {
    path: ({ linkPath }) => `${linkPath}/files/99`,
    statuses: statuses(400, 400, 400, 400),
  },
  'POST /r/:token/items/:item_id/comments': {
    path: ({ linkPath }) => `${linkPath}/items/A/comments`,
    body: () => json({ comment: 'Hello.' }),
    statuses: statuses(201, 201, 201, 201),
  },
  'POST /r/:token/items/:item_id/answer': {
    path: ({ linkPath }) => `${linkPath}/items/A/answer`,
    body: () => json({ not_applicable: null }),
    statuses: statuses(201, 201, 201, 201),
  },
  'PUT /r/:token/sender': {
    path: ({ linkPath }) => `${linkPath}/sender`,
    body: () => json({ name: 'Ann' }),
    statuses: EVERYONE,
  },
  // 409: there is no mail server.
  // 400: no code was mailed.
  // There is no kit yet.
  'GET /r/:token/kit.zip': {
    path: ({ linkPath }) => `${linkPath}/kit.zip`,
    statuses: statuses(404, 404, 404, 404),
  },
  'GET /r/:token/v1/submissions/:submission_id': {
    path: ({ linkPath, requestDraftId }) => `${linkPath}/v1/submissions/${requestDraftId}`,
    statuses: EVERYONE,
  },
  'POST /r/:token/v1/submissions/:submission_id/evidence': {
    path: ({ linkPath, requestDraftId }) => `${linkPath}/v1/submissions/${requestDraftId}/evidence`,
    body: () => ({ content: form({ 'a.txt': 'any content' }, { final: false }) }),
    statuses: statuses(202, 202, 202, 202),
  },
  'OPTIONS /r/:token/v1/submissions/:submission_id/uploads': {
    path: suppliersUploads,
    statuses: statuses(204, 204, 204, 204),
  },
  'GET /r/:token/v1/submissions/:submission_id/uploads': {
    path: suppliersUploads,
    headers: TUS,
    statuses: EVERYONE,
  },
  'POST /r/:token/v1/submissions/:submission_id/uploads': {
    path: suppliersUploads,
    headers: { ...TUS, 'upload-length': '10', 'upload-metadata': 'filename YS50eHQ=' },
    statuses: statuses(201, 201, 201, 201),
  },
  'GET /r/:token/v1/submissions/:submission_id/uploads/:upload_id': {
    path: suppliersUpload,
    headers: TUS,
    statuses: EVERYONE,
  },
  'PATCH /r/:token/v1/submissions/:submission_id/uploads/:upload_id': {
    path: suppliersUpload,
    headers: { ...TUS, 'upload-offset': '0' },
    body: () => ({ type: 'application/offset+octet-stream', content: '' }),
    statuses: statuses(204, 204, 204, 204),
  },
  'POST /r/:token/v1/submissions/:submission_id/uploads/:upload_id': {
    path: suppliersUpload,
    headers: { ...TUS, 'upload-offset': '0', 'x-http-method-override': 'PATCH' },
    body: () => ({ type: 'application/offset+octet-stream', content: '' }),
    statuses: statuses(204, 204, 204, 204),
  },
  // The first caller deletes it.
  'DELETE /r/:token/v1/submissions/:submission_id/uploads/:upload_id': {
    path: suppliersUpload,
    headers: TUS,
    statuses: statuses(204, 410, 410, 410),
  },
  'GET /v1/credits': { path: () => '/v1/credits', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/trust': { path: () => '/v1/trust', statuses: statuses(401, 200, 403, 200) },
  'PUT /v1/trust': {
    path: () => '/v1/trust',
    body: () => json({ data: [] }),
    statuses: statuses(401, 200, 403, 200),
  },
  'GET /v1/audit': { path: () => '/v1/audit', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/audit/head': { path: () => '/v1/audit/head', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/audit/export': { path: () => '/v1/audit/export', statuses: statuses(401, 200, 403, 200) },
  'GET /v1/keys': { path: () => '/v1/keys', statuses: statuses(401, 200, 403, 200) },
  'POST /v1/keys': {
    path: () => '/v1/keys',
    body: () => json({ label: 'new' }),
    statuses: statuses(401, 201, 403, 201),
  },
  'POST /v1/keys/:key_id/rotate': {
    path: ({ keyIds }) => `/v1/keys/${keyIds[0]}/rotate`,
    body: () => json({}),
    statuses: statuses(401, 404, 403, 201),
  },
  'DELETE /v1/keys/:key_id': { path: ({ keyIds }) => `/v1/keys/${keyIds[1]}`, statuses: DELETED },
  'GET /v1/federation': { path: () => '/v1/federation', statuses: statuses(401, 200, 403, 200) },
  'POST /v1/federation': {
    path: () => '/v1/federation',
    body: federation,
    statuses: statuses(401, 201, 403, 201),
  },
  'GET /v1/federation/:federation_id': {
    path: ({ federationId }) => `/v1/federation/${federationId}`,
    statuses: OWN,
  },
  'PUT /v1/federation/:federation_id': {
    path: ({ federationId }) => `/v1/federation/${federationId}`,
    body: federation,
    statuses: OWN,
  },
  'DELETE /v1/federation/:federation_id': {
    path: ({ federationId }) => `/v1/federation/${federationId}`,
    statuses: DELETED,
  },
  // No token is sent.
  'POST /v1/token': {
    path: () => '/v1/token',
    body: () => json({}),
    statuses: statuses(400, 400, 400, 400),
  },
  'GET /': { path: () => '/', statuses: EVERYONE },
  'GET /verify': { path: () => '/verify', statuses: EVERYONE },
  'GET /verify/:kit_id': { path: ({ kitId }) => `/verify/${kitId}`, statuses: EVERYONE },
  'GET /verify/kitseal-verify.py': { path: () => '/verify/kitseal-verify.py', statuses: EVERYONE },
  'GET /verifier.html': { path: () => '/verifier.html', statuses: EVERYONE },
  'GET /assets/:file': { path: () => '/assets/app-Ab12.js', statuses: EVERYONE },
  'GET /favicon.svg': { path: () => '/favicon.svg', statuses: EVERYONE },
  'GET /.well-known/jwks.json': { path: () => '/.well-known/jwks.json', statuses: EVERYONE },
  'GET /log': { path: () => '/log', statuses: EVERYONE },
  'GET /log/checkpoint': { path: () => '/log/checkpoint', statuses: EVERYONE },
  'GET /log/policy': { path: () => '/log/policy', statuses: EVERYONE },
  'GET /log/tile/:level/*': { path: () => '/log/tile/0/000.p/1', statuses: EVERYONE },
  'GET /openapi.json': { path: () => '/openapi.json', statuses: EVERYONE },
  'GET /openapi/:file': { path: () => '/openapi/kits.json', statuses: EVERYONE },
  'GET /schemas': { path: () => '/schemas', statuses: EVERYONE },
  'GET /schemas/:file': { path: () => '/schemas/Receipt.json', statuses: EVERYONE },
  'GET /docs': { path: () => '/docs', statuses: EVERYONE },
  'GET /docs.md': { path: () => '/docs.md', statuses: EVERYONE },
  'GET /llms.txt': { path: () => '/llms.txt', statuses: EVERYONE },
  'GET /docs/:kind': { path: () => '/docs/docs.css', statuses: EVERYONE },
  'GET /docs/:kind/:page': { path: () => '/docs/reference/api', statuses: EVERYONE },
  'GET /healthz': { path: () => '/healthz', statuses: EVERYONE },
  'GET /readyz': { path: () => '/readyz', statuses: EVERYONE },
}

/** The console does not use API keys. console-roles.test.ts tries every route with sessions. */
const CONSOLE_ROUTE = /^[A-Z]+ \/(?:console|auth)(?:\/|$)/

test('every route is in the access matrix', () => {
  const routes = printedRoutes(service.service.app)
    .filter(([method]) => method !== 'HEAD')
    .map(([method, path]) => `${method} ${path}`)
  assert.ok(routes.length > 20)
  const covered = routes.filter((route) => !CONSOLE_ROUTE.test(route))
  assert.deepEqual(covered.toSorted(), Object.keys(ROUTES).toSorted())
})

for (const [route, row] of Object.entries(ROUTES))
  test(`${route} answers each caller as the matrix says`, async () => {
    for (const caller of CALLERS) {
      const expected = row.statuses[caller as keyof Statuses] ?? 401
      const response = await send(route, row, caller)
      assert.equal(response.status, expected, `${caller}: ${(await response.text()).slice(0, 300)}`)
      if (!route.startsWith('GET ')) continue
      assert.equal(
        (await send(route.replace('GET', 'HEAD'), row, caller)).status,
        expected,
        `${caller}: HEAD`,
      )
    }
  })

/** The operations of the API with the scope that their description names. */
const OF_API = operations
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ path, method, operation: { 'x-scope': scope = '' } }) => ({ route: routeOf(method, path), scope }))

function routeOf(method: string, path: string): string {
  const last = path.replace(/\{(file_path|name)\}$/, '*')
  return `${method} ${last.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

test('an operation of the API refuses a key without its scope, and names it', async () => {
  for (const { route, scope } of OF_API.filter((each) => each.scope !== 'none')) {
    const row = ROUTES[route]
    assert.ok(row !== undefined, route)
    const response = await sendWith(fixture.without[scope as Scope], route, row)
    const { code, message } = (await response.json()) as { code: string; message: string }
    assert.deepEqual([response.status, code], [403, 'scope_missing'], route)
    assert.ok(message.includes(`\`${scope}\``), message)
  }
})

test('every invalid key gets the same response', async () => {
  const row = ROUTES['GET /v1/credits']!
  const texts = await Promise.all(INVALID.map(async (caller) => (await send('GET', row, caller)).text()))
  const same = new Set(texts.map((text) => text.replace(/"request_id":"[^"]*"/, '')))
  assert.equal(same.size, 1, [...same].join('\n'))
})

test('resources of another workspace look like missing ones', async () => {
  for (const path of [
    `/v1/submissions/${fixture.submissionId}`,
    `/v1/shares/${fixture.shareId}`,
    `/v1/rooms/${fixture.roomId}`,
    `/v1/submissions/${fixture.submissionId}/deliverables/kit.zip`,
    `/v1/kits/${fixture.kitId}/receipt`,
    `/v1/compare?from=${fixture.kitId}&to=${fixture.kitId}`,
    `/v1/intake/jobs/${fixture.jobId}`,
  ]) {
    const missing = path.replace(/((?:sub|kit|job|shr)_).{10}/, '$1AAAAAAAAAA')
    const [foreign, none] = await Promise.all(
      [path, missing].map((each) => responseText(each, 'other workspace')),
    )
    assert.equal(foreign, none, path)
  }
})

test("lists show no other workspace's submissions, events or credits", async () => {
  const lists = ['submissions', 'series', 'shares', 'rooms', 'requests', 'audit', 'audit/export', 'credits']
  for (const path of lists.map((list) => `/v1/${list}`)) {
    const text = await responseText(path, 'other workspace')
    for (const secret of [
      fixture.submissionId,
      fixture.owner.workspaceId,
      fixture.jobId,
      fixture.kitId,
      fixture.evidenceRequestId,
    ])
      assert.ok(!text.includes(secret), `${path} shows ${secret}`)
  }
})

test('a receipt of a private kit can be verified, and a forged one reveals nothing about the kit', async () => {
  const row = ROUTES['POST /v1/verify/receipt']!
  const verdict = async (receipt: string): Promise<{ status: string; errors: readonly string[] }> => {
    const body = (): { type: string; content: string } => ({ type: 'application/json', content: receipt })
    return (await (await send('POST', { ...row, body }, 'nobody')).json()) as {
      status: string
      errors: string[]
    }
  }
  assert.equal((await verdict(fixture.receipt)).status, 'PASS')
  const forged = fixture.receipt.replaceAll(
    /"(manifest_sha256|manifest_root_hash)":"[^"]*"/g,
    `"$1":"${'0'.repeat(64)}"`,
  )
  const { status, errors } = await verdict(forged)
  assert.equal(status, 'FAIL')
  const manifest = (await fixture.owner.get(`/v1/kits/${fixture.kitId}/manifest`)).json
  for (const { path, sha256 } of manifest['artifacts'] as readonly { path: string; sha256: string }[])
    for (const error of errors) assert.ok(!error.includes(path) && !error.includes(sha256), error)
  for (const error of errors) assert.ok(!error.includes(String(manifest['manifest_sha256'])), error)
})

function statuses(nobody: number, other: number, restricted: number, owner: number): Statuses {
  return { nobody, 'other workspace': other, 'no entitlement': restricted, owner }
}

function json(value: object): { readonly type: string; readonly content: string } {
  return { type: 'application/json', content: JSON.stringify(value) }
}

function below(path: string): Row['path'] {
  return ({ sharePath }) => `${sharePath}/${path}`
}

function inRoom(path: string): Row['path'] {
  return ({ roomPath }) => `${roomPath}/${path}`
}

function ofKit(path: string): Row['path'] {
  return ({ roomPath, kitId }) => `${roomPath}/kits/${kitId}/${path}`
}

function ofRequest(path: string): Pick<Row, 'path' | 'body'> {
  return {
    path: ({ otherEvidenceRequestId }) => `/v1/requests/${otherEvidenceRequestId}${path}`,
    body: () => json({}),
  }
}

function ofProgram(path: string): Row['path'] {
  return ({ programId }) => `/v1/programs/${programId}${path}`
}

function ofPeriod(path: string): Row['path'] {
  return (each) => ofProgram(`/periods/${each.period}${path}`)(each)
}

function suppliersUploads({ linkPath, requestDraftId }: AccessFixture): string {
  return `${linkPath}/v1/submissions/${requestDraftId}/uploads`
}

function suppliersUpload(each: AccessFixture): string {
  return `${suppliersUploads(each)}/${each.requestUploadId}`
}

function federation(): ReturnType<typeof json> {
  const claims = [{ claim: 'sub', equals: 'job' }]
  return json({ label: 'CI', issuer: 'https://ci.example', claims })
}

function webhook(path: string): (fixture: AccessFixture) => string {
  return ({ webhookId }) => `/v1/webhooks/${webhookId}${path}`
}

function uploads({ draftId }: AccessFixture): string {
  return `/v1/submissions/${draftId}/uploads`
}

function upload(each: AccessFixture): string {
  return `${uploads(each)}/${each.uploadId}`
}

function send(route: string, row: Row, caller: Caller): Promise<Response> {
  return sendWith(fixture.keys[caller], route, row)
}

function sendWith(key: string | undefined, route: string, { path, body, headers }: Row): Promise<Response> {
  const sent = body?.(fixture)
  return fetch(service.base + path(fixture), {
    method: route.split(' ')[0] ?? 'GET',
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...headers,
      ...(sent?.type === undefined ? {} : { 'content-type': sent.type }),
    },
    ...(sent === undefined ? {} : { body: sent.content as string }),
  })
}

async function responseText(path: string, caller: Caller): Promise<string> {
  const response = await send('GET', { path: () => path, statuses: EVERYONE }, caller)
  return `${response.status} ${(await response.text()).replace(/"request_id":"[^"]*"/, '')}`
}
