import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import type { TestService } from './service.ts'
import { supplierClient } from './supplier.ts'
import { tusClient } from './tus.ts'
import { administer, form, type WorkspaceClient, type WorkspaceId, workspaceClient } from './workspace.ts'

/** What an API key may do. */
export const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Callers by the state of their key. */
export const CALLERS = [
  'nobody',
  'malformed key',
  'unknown key',
  'wrong secret',
  'revoked key',
  'expired key',
  'other workspace',
  'no entitlement',
  'owner',
] as const
export type Caller = (typeof CALLERS)[number]

export const INVALID = CALLERS.filter((caller) => / key$|secret$/.test(caller))

/** A workspace with private kits, its resources, and the keys of all callers. */
export interface AccessFixture {
  readonly owner: WorkspaceClient
  readonly keys: Readonly<Record<Caller, string | undefined>>
  /** For each scope, a key of the owner's workspace that has all the others. */
  readonly without: Readonly<Record<Scope, string>>
  /** Keys to rotate and to revoke. */
  readonly keyIds: readonly [string, string]
  readonly federationId: string
  readonly kitId: string
  readonly jobId: string
  readonly submissionId: string
  /** A draft submission. */
  readonly pendingId: string
  /** A draft submission with an unfinished upload. */
  readonly draftId: string
  readonly uploadId: string
  readonly shareId: string
  readonly webhookId: string
  /** The path of the share's link. */
  readonly sharePath: string
  /** A room with the kit and a question. */
  readonly roomId: string
  readonly commentId: string
  readonly roomPath: string
  readonly receipt: string
  /** A request whose supplier has started, with an unfinished upload. */
  readonly evidenceRequestId: string
  /** The path of its link. */
  readonly linkPath: string
  readonly requestDraftId: string
  readonly requestUploadId: string
  /** A request that the rows change. */
  readonly otherEvidenceRequestId: string
  /** A program with an open period, whose only item is `A`. */
  readonly programId: string
  readonly period: string
  readonly kit: Buffer
}

const OPERATOR = { is: 'operator' } as const

export async function accessFixture(service: TestService): Promise<AccessFixture> {
  const owner = await workspaceClient(service)
  const submissionId = await owner.submission({ series: 'Access review' })
  assert.equal(
    (await owner.upload(submissionId, form({ 'a.txt': 'the evidence of one tenant' }))).status,
    202,
  )
  const { job_id, kit_id } = await owner.ended(submissionId)
  const pendingId = await owner.submission()
  const draftId = await owner.submission()
  const upload = await tusClient(service, owner).create(draftId, 'large.bin', 1000)
  const asked = await askSupplier(service, owner)
  const kit = (await owner.get(`/v1/kits/${String(kit_id)}/download`)).bytes
  const receipt = (await owner.get(`/v1/kits/${String(kit_id)}/receipt`)).bytes.toString()
  const expires = new Date(Date.now() + 3_600_000).toISOString()
  const share = await owner.post('/v1/shares', { kit_id, expires_at: expires })
  const room = await owner.post('/v1/rooms', { title: 'Audit', kits: [kit_id], expires_at: expires })
  const roomId = String(room.json['room_id'])
  const question = { kit_id, text: 'Who approved this?', is_question: true }
  const comment = await owner.post(`/v1/rooms/${roomId}/comments`, question)
  const other = await workspaceClient(service)
  const keys = await administer(service, async (admin) => {
    const workspaceId = owner.workspaceId as WorkspaceId
    await admin.workspaces.update(workspaceId, { publicKits: 'none' }, OPERATOR)
    await admin.plans.create('none', { apiAccess: false })
    const revoked = await admin.keys.create(workspaceId, { label: 'revoked' }, OPERATOR)
    await admin.keys.revoke(revoked.keyId, OPERATOR)
    const expired = await admin.keys.create(workspaceId, { label: 'expired', livesMs: -1000 }, OPERATOR)
    const restricted = await admin.workspaces.create(
      { name: 'Restricted', plan: 'none', credits: 1, keyLabel: 'restricted' },
      OPERATOR,
    )
    return { revoked: revoked.text, expired: expired.text, restricted: restricted.key.text }
  })
  const scoped = await scopedKeys(service, owner)
  const claims = [{ claim: 'sub', equals: 'job' }]
  const federation = await owner.post('/v1/federation', { label: 'CI', issuer: 'https://ci.example', claims })
  return {
    owner,
    ...scoped,
    federationId: String(federation.json['federation_id']),
    keys: {
      nobody: undefined,
      'malformed key': 'ks_nonsense',
      'unknown key': withChecksum(`ks_key_${'0'.repeat(21)}1_${'A'.repeat(43)}`),
      'wrong secret': wrongSecret(owner.key),
      'revoked key': keys.revoked,
      'expired key': keys.expired,
      'other workspace': other.key,
      'no entitlement': keys.restricted,
      owner: owner.key,
    },
    kitId: String(kit_id),
    jobId: String(job_id),
    submissionId,
    pendingId,
    draftId,
    uploadId: String(upload.json['upload_id']),
    shareId: String(share.json['share_id']),
    webhookId: await newWebhook(owner),
    sharePath: new URL(String(share.json['url'])).pathname,
    roomId,
    commentId: String(comment.json['comment_id']),
    roomPath: new URL(String(room.json['url'])).pathname,
    receipt,
    ...asked,
    ...(await runProgram(owner)),
    kit,
  }
}

async function askSupplier(service: TestService, owner: WorkspaceClient) {
  const ask = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await owner.post('/v1/requests', { title: 'Review', items: [{ id: 'A', title: 'Accounts' }] })).json
  const { evidence_request_id, link } = await ask()
  const supplier = supplierClient(service, (link as { readonly url: string }).url)
  const requestDraftId = await supplier.draft()
  const upload = await supplier.call(`/v1/submissions/${requestDraftId}/uploads`, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': 'filename YS50eHQ=' },
  })
  return {
    evidenceRequestId: String(evidence_request_id),
    linkPath: supplier.pathname,
    requestDraftId,
    requestUploadId: String(upload.json['upload_id']),
    otherEvidenceRequestId: String((await ask())['evidence_request_id']),
  }
}

async function runProgram(owner: WorkspaceClient) {
  const items = [{ item_id: 'A', title: 'Accounts' }]
  const body = { name: 'Access review', cadence: 'quarterly', starts_on: '2026-01-01', items }
  const programId = String((await owner.post('/v1/programs', body)).json['program_id'])
  const { json } = await owner.get(`/v1/programs/${programId}/board`)
  const [{ period, submission_id } = { period: '', submission_id: '' }] = json['periods'] as {
    readonly period: string
    readonly submission_id: string
  }[]
  const added = await owner.upload(submission_id, form({ 'A/users.csv': 'a,b' }, { final: false }))
  assert.equal(added.status, 202, added.bytes.toString())
  return { programId, period }
}

async function scopedKeys(
  service: TestService,
  owner: WorkspaceClient,
): Promise<Pick<AccessFixture, 'without' | 'keyIds'>> {
  return administer(service, async (admin) => {
    const create = (label: string, scopes?: readonly Scope[]) =>
      admin.keys.create(owner.workspaceId as WorkspaceId, { label, scopes }, OPERATOR)
    const without: Partial<Record<Scope, string>> = {}
    for (const scope of SCOPES)
      without[scope] = (
        await create(
          scope,
          SCOPES.filter((each) => each !== scope),
        )
      ).text
    const [rotated, revoked] = [await create('to rotate'), await create('to revoke')]
    return { without: without as Record<Scope, string>, keyIds: [rotated.keyId, revoked.keyId] as const }
  })
}

/** An existing key ID with a wrong secret and valid check characters. */
export function wrongSecret(key: string): string {
  const body = key.slice(0, -CHECK_LENGTH)
  const secret = body.slice(-SECRET_LENGTH)
  const other = secret.startsWith('A') ? 'B' : 'A'
  return withChecksum(body.slice(0, -SECRET_LENGTH) + other + secret.slice(1))
}

/** Its only event never happens. */
async function newWebhook(owner: WorkspaceClient): Promise<string> {
  const body = { url: 'https://hooks.example/hook', types: ['key.revoked'] }
  return String((await owner.post('/v1/webhooks', body)).json['webhook_id'])
}

const SECRET_LENGTH = 43
const CHECK_LENGTH = 6

/** Adds the check characters that let a key be recognized: its CRC-32, in base 62. */
function withChecksum(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let [value, text] = [crc32(body), '']
  for (; text.length < CHECK_LENGTH; value = Math.floor(value / digits.length))
    text = digits.charAt(value % digits.length) + text
  return body + text
}
