export type * from './api-types.generated.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { DownloadOptions, Progress } from './download.ts'
export type { DownloadKitOptions, PassedReport, VerifiedKit } from './download-kit.ts'
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
export type { Retry, RetryPolicy } from './retry.ts'
export type { UploadProgress } from './send-upload.ts'
export { blobSink, type ByteSink, type KitSink } from './sinks.ts'
export { type Platform, systemPlatform } from './platform.ts'
export type { Fetch } from './transport.ts'
export { ONE_REQUEST_BYTES, type UploadOptions } from './upload-evidence.ts'
export type { UploadFileOptions } from './upload-file.ts'
export type * from './submission-states.ts'
export type { WaitOptions } from './wait-for-result.ts'
export { verifyWebhook, WebhookError, type WebhookHeaders } from './verify-webhook.ts'
export { type Waiting, waitingText } from './waiting.ts'
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
