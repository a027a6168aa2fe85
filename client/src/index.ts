export type * from './api-types.generated.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  blobSink,
  type ByteSink,
  type DownloadKitOptions,
  type DownloadOptions,
  type KitSink,
  type PassedReport,
  type Progress,
  type VerifiedKit,
} from './download.ts'
export {
  ApiError,
  type ApiErrorCode,
  NetworkError,
  NotSealedError,
  NotVerifiedError,
  WaitTimeout,
} from './errors.ts'
export type { EventOf, EventPage, EventsOptions, WorkspaceEvent } from './events.ts'
export { type Evidence, multipartBody } from './multipart.ts'
export type { UploadProgress } from './send-upload.ts'
export { type Fetch, type Platform, type Retry, type RetryPolicy, systemPlatform } from './transport.ts'
export { ONE_REQUEST_BYTES, type UploadOptions } from './upload-evidence.ts'
export type { UploadFileOptions } from './upload-file.ts'
export type { WaitOptions } from './wait-for-result.ts'
export type * from './submission-states.ts'
export { waitingText } from './submission-states.ts'
export { verifyWebhook, WebhookError, type WebhookHeaders } from './verify-webhook.ts'
// To specify trusted keys.
export {
  NO_TRUST,
  parseJwks,
  parseStrictJson,
  type Pin,
  type Trust,
  trustKeys,
  type VerificationReport,
} from '@kitseal/kit'
