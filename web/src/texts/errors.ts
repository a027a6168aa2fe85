import type { ErrorCode } from '@kitseal/client'

/** What the service answers to people without an account, and on any page when it is busy. The others say more in English. */
export type Errors = Readonly<
  Record<
    Extract<
      ErrorCode,
      | 'link_not_found'
      | 'share_not_found'
      | 'share_revoked'
      | 'share_replaced'
      | 'share_expired'
      | 'share_exhausted'
      | 'share_password_wrong'
      | 'shared_file_not_found'
      | 'room_not_found'
      | 'room_full'
      | 'comment_not_found'
      | 'kit_not_found'
      | 'kit_expired'
      | 'mail_off'
      | 'request_not_open'
      | 'request_item_locked'
      | 'submission_running'
      | 'submission_submitted'
      | 'evidence_gone'
      | 'uploads_unfinished'
      | 'upload_in_progress'
      | 'upload_locked'
      | 'upload_expired'
      | 'checksum_mismatch'
      | 'storage_limit_reached'
      | 'storage_full'
      | 'rate_limited'
      | 'request_timeout'
      | 'internal_error'
      | 'overloaded'
      | 'store_unavailable'
      | 'object_unavailable'
      | 'stopping'
    >,
    string
  >
>
