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
export { ApiError, type ApiErrorCode, NetworkError, NotVerifiedError } from './errors.ts'
export type { EventOf, EventPage, EventsOptions, WorkspaceEvent } from './events.ts'
export { type Evidence, multipartBody } from './multipart.ts'
export { type Fetch, type Platform, type Retry, type RetryPolicy, systemPlatform } from './transport.ts'
export {
  ONE_REQUEST_BYTES,
  type UploadFileOptions,
  type UploadOptions,
  type UploadProgress,
} from './upload-evidence.ts'
export type * from './wait-for-result.ts'
export { NotSealedError, waitingText, WaitTimeout } from './wait-for-result.ts'
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
