import type { SubmissionId, UploadId } from '../runtime/identifiers.ts'

/** A resumable upload. It is open until it is finished or removed. */
export interface ResumableUploadsTable {
  readonly upload_id: UploadId
  readonly submission_id: SubmissionId
  /** As sent by the client. */
  readonly name: string
  readonly size_bytes: number
  /** What the client sent to recognize the same content. */
  readonly resume_key: string | null
  /** `Upload-Metadata` as the client sent it. */
  readonly metadata: string
  readonly created_at: string
  readonly expires_at: string
  /** How much is stored durably. */
  readonly offset_bytes: number
  /** The name of the object that it becomes. */
  readonly object: string
  /** What the object store needs to continue. */
  readonly state: string
  /** When the file became evidence of its submission. */
  readonly finished_at: string | null
  /** When the stored part was removed, because the upload expired or its submission was sealed. */
  readonly removed_at: string | null
  /** The request that may write, by its node and a random part. */
  readonly claim: string | null
  readonly claimed_until: string | null
}
