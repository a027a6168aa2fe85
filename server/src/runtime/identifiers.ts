import { randomFillSync } from 'node:crypto'
import { type Clock, systemClock } from './clock.ts'

export type JobId = string & { readonly __id: 'job' }
export type KitId = string & { readonly __id: 'kit' }
export type SubmissionId = string & { readonly __id: 'submission' }
export type UploadId = string & { readonly __id: 'upload' }
export type WorkspaceId = string & { readonly __id: 'workspace' }
export type ApiKeyId = string & { readonly __id: 'key' }
export type MemberId = string & { readonly __id: 'member' }
export type InvitationId = string & { readonly __id: 'invitation' }
export type SessionId = string & { readonly __id: 'session' }
export type CeremonyId = string & { readonly __id: 'ceremony' }
export type ShareId = string & { readonly __id: 'share' }
export type CommentId = string & { readonly __id: 'comment' }
export type FederationId = string & { readonly __id: 'federation' }
export type WebhookId = string & { readonly __id: 'webhook' }
export type LinkId = string & { readonly __id: 'link' }
export type ProgramId = string & { readonly __id: 'program' }
/** Of a request for evidence. `RequestId` is that of an HTTP request. */
export type EvidenceRequestId = string & { readonly __id: 'evidence request' }
export type RequestId = string & { readonly __id: 'request' }

const RANDOM_BYTES = 17
/** In base64url: 132 bits. */
const RANDOM_LENGTH = 22
const POOL_BYTES = RANDOM_BYTES * 256

/** Generates IDs. The ID of a job or kit grants access to it, so IDs must not be guessable. */
export type Identifiers = ReturnType<typeof randomIdentifiers>

/** Random bytes are generated in blocks, because a block costs as much as a single ID. */
export function randomIdentifiers(clock: Pick<Clock, 'now'> = systemClock) {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES)
  let used = POOL_BYTES
  const random = (): string => {
    if (used === POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const text = pool.toString('base64url', used, used + RANDOM_BYTES).slice(0, RANDOM_LENGTH)
    pool.fill(0, used, used + RANDOM_BYTES)
    used += RANDOM_BYTES
    return text
  }
  const inTimeOrder = (): string => secondOf(clock.now()) + random()
  return {
    /** `id('whk')` */
    id: (prefix: string): string => `${prefix}_${inTimeOrder()}`,
    jobId: (): JobId => `job_${inTimeOrder()}` as JobId,
    kitId: (): KitId => `kit_${inTimeOrder()}` as KitId,
    submissionId: (): SubmissionId => `sub_${inTimeOrder()}` as SubmissionId,
    uploadId: (): UploadId => `upl_${inTimeOrder()}` as UploadId,
    workspaceId: (): WorkspaceId => `ws_${inTimeOrder()}` as WorkspaceId,
    memberId: (): MemberId => `mem_${inTimeOrder()}` as MemberId,
    invitationId: (): InvitationId => `inv_${inTimeOrder()}` as InvitationId,
    sessionId: (): SessionId => `ses_${random()}` as SessionId,
    ceremonyId: (): CeremonyId => `cer_${random()}` as CeremonyId,
    linkId: (): LinkId => `lnk_${inTimeOrder()}` as LinkId,
    shareId: (): ShareId => `shr_${inTimeOrder()}` as ShareId,
    evidenceRequestId: (): EvidenceRequestId => `evr_${inTimeOrder()}` as EvidenceRequestId,
    programId: (): ProgramId => `prg_${inTimeOrder()}` as ProgramId,
    requestId: (): RequestId => `req_${random()}` as RequestId,
  }
}

const SECOND_LENGTH = 7

/**
 * The first characters of an ID, so that a new row belongs at the end of its index instead of on a random page. Base 32 in
 * digits and lower-case letters has the same order in every collation.
 */
const secondOf = (milliseconds: number): string =>
  Math.floor(milliseconds / 1000)
    .toString(32)
    .padStart(SECOND_LENGTH, '0')

const JOB_ID = /^job_[A-Za-z0-9_-]{22,64}$/
const KIT_ID = /^kit_[A-Za-z0-9_-]{22,64}$/
const SUBMISSION_ID = /^sub_[A-Za-z0-9_-]{22,64}$/
const UPLOAD_ID = /^upl_[A-Za-z0-9_-]{22,64}$/

export const isJobId = (text: string): text is JobId => JOB_ID.test(text)
export const isKitId = (text: string): text is KitId => KIT_ID.test(text)
export const isSubmissionId = (text: string): text is SubmissionId => SUBMISSION_ID.test(text)
export const isUploadId = (text: string): text is UploadId => UPLOAD_ID.test(text)
