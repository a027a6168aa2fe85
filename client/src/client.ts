import type {
  AuditTrail,
  CreditAccount,
  DeliverableList,
  IntakeJob,
  IntakeJobRequest,
  JWKS,
  Manifest,
  Operations,
  Receipt,
  Submission,
  SubmissionList,
  SubmissionRequest,
  VerificationResult,
} from './api-types.generated.ts'
import { address, call, type CallOptions } from './call.ts'
import { download, type DownloadOptions } from './download.ts'
import { downloadKit, type DownloadKitOptions, type VerifiedKit } from './download-kit.ts'
import type { Evidence } from './multipart.ts'
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts'
import { sendKit } from './send-kit.ts'
import { blobSink, type ByteSink, type KitSink } from './sinks.ts'
import { type Surroundings, systemSurroundings } from './surroundings.ts'
import type { Fetch, Transport } from './transport.ts'
import { uploadEvidence, type UploadOptions } from './upload-evidence.ts'
import { waitForJob, waitForResult, type WaitOptions } from './wait-for-result.ts'

export interface ClientOptions {
  /** Where the service answers: `https://kitseal.example`. */
  readonly baseUrl: string
  /** Sent with every request. The public endpoints need none. */
  readonly apiKey?: string | undefined
  /** In place of the platform's own. */
  readonly fetch?: Fetch | undefined
  /** What differs from the default: 5 attempts, waits that grow from half a second to half a minute. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** How long one request for JSON may take. Default: 30 s. Uploads and downloads have no limit. */
  readonly timeoutMs?: number | undefined
  readonly surroundings?: Surroundings | undefined
}

export type Client = ReturnType<typeof createClient>

/** A client of one service. It keeps no state: one can serve a whole program. */
export function createClient(service: ClientOptions) {
  const transport = transportOf(service)
  return {
    /** The public keys that receipts are checked with. To trust them is your decision. */
    getKeys: async (options?: CallOptions): Promise<JWKS> =>
      (await call(transport, 'getKeys', {}, options)).answer,

    /** Creates a job out of the intake record alone, without files. */
    createIntakeJob: async (body: IntakeJobRequest, options?: CallOptions): Promise<IntakeJob> =>
      (await call(transport, 'createIntakeJob', {}, { ...options, body, once: true })).answer,

    getIntakeJob: async (jobId: string, options?: CallOptions): Promise<IntakeJob> =>
      (await call(transport, 'getIntakeJob', { job_id: jobId }, options)).answer,

    /** Asks until the job is ISSUED, FAIL or EXPIRED. */
    waitForJob: (jobId: string, options: WaitOptions<IntakeJob> = {}): Promise<IntakeJob> =>
      waitForJob(transport, jobId, options),

    getManifest: async (kitId: string, options?: CallOptions): Promise<Manifest> =>
      (await call(transport, 'getManifest', { kit_id: kitId }, options)).answer,

    getReceipt: async (kitId: string, options?: CallOptions): Promise<Receipt> =>
      (await call(transport, 'getReceipt', { kit_id: kitId }, options)).answer,

    /** Downloads a kit and verifies it; throws NotVerifiedError, and hands nothing over, where it does not pass. */
    downloadKit: <Kept = Blob>(
      kitId: string,
      options: DownloadKitOptions & { readonly into?: KitSink<Kept> },
    ): Promise<VerifiedKit<Kept>> =>
      downloadKit(transport, kitId, options.into ?? (blobSink() as unknown as KitSink<Kept>), options),

    /** Asks the service to verify a receipt against the kit that it holds. */
    verifyReceipt: async (body: Receipt, options?: CallOptions): Promise<VerificationResult> =>
      (await call(transport, 'verifyReceipt', {}, { ...options, body })).answer,

    /** Asks the service to verify a kit with its own keys. To trust nobody's word, verify it yourself. */
    verifyKit: (zip: Blob, options?: CallOptions): Promise<VerificationResult> =>
      sendKit(transport, zip, options),

    createSubmission: async (body: SubmissionRequest, options?: CallOptions): Promise<Submission> =>
      (await call(transport, 'createSubmission', {}, { ...options, body, once: true })).answer,

    /** Sends files, all in one request; the submission is then sealed and examined, unless `final` is false. */
    uploadEvidence: (
      submissionId: string,
      files: readonly Evidence[],
      options: UploadOptions = {},
    ): Promise<Submission> => uploadEvidence(transport, submissionId, files, options),

    getSubmission: async (submissionId: string, options?: CallOptions): Promise<Submission> =>
      (await call(transport, 'getSubmission', { submission_id: submissionId }, options)).answer,

    /** One page of submissions, the newest first. */
    listSubmissions: async (
      query: Operations['listSubmissions']['query'] = {},
      options?: CallOptions,
    ): Promise<SubmissionList> => (await call(transport, 'listSubmissions', query, options)).answer,

    /** Asks until the submission is PASS or FAIL. */
    waitForResult: (submissionId: string, options: WaitOptions<Submission> = {}): Promise<Submission> =>
      waitForResult(transport, submissionId, options),

    listDeliverables: async (submissionId: string, options?: CallOptions): Promise<DeliverableList> =>
      (await call(transport, 'listDeliverables', { submission_id: submissionId }, options)).answer,

    /** Downloads one deliverable as it is. What it claims is verified with the kit that it belongs to. */
    getDeliverable: async <Kept = Blob>(
      submissionId: string,
      name: string,
      options: DownloadOptions & { readonly into?: ByteSink<Kept> } = {},
    ): Promise<Kept> => {
      const sink = options.into ?? (blobSink() as unknown as ByteSink<Kept>)
      const place = { submission_id: submissionId, name }
      try {
        await download(transport, address('getDeliverable', place), sink, options)
        return await sink.keep()
      } catch (error) {
        await sink.discard()
        throw error
      }
    },

    /** What the workspace can spend, and one page of the ledger that it comes from. */
    getCredits: async (
      query: Operations['getCredits']['query'] = {},
      options?: CallOptions,
    ): Promise<CreditAccount> => (await call(transport, 'getCredits', query, options)).answer,

    /** One page of what happened in the workspace, the newest first: who, what, when, with which key. */
    getAuditTrail: async (
      query: Operations['getAuditTrail']['query'] = {},
      options?: CallOptions,
    ): Promise<AuditTrail> => (await call(transport, 'getAuditTrail', query, options)).answer,
  }
}

const TIMEOUT_MS = 30_000

function transportOf(service: ClientOptions): Transport {
  const { fetch, apiKey, retry, timeoutMs = TIMEOUT_MS, surroundings = systemSurroundings } = service
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('the API key is not one: it holds spaces, or characters beyond ASCII')
  return {
    baseUrl: baseUrlOf(service.baseUrl),
    // Looked up at each call: a page or a test may replace it.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    isPlatformFetch: fetch === undefined,
    apiKey,
    timeoutMs,
    retry: { ...DEFAULT_RETRY, ...retry },
    surroundings,
  }
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw new TypeError(
      `${JSON.stringify(text)} is no base address: it is http(s)://host, with a path at most`,
    )
  return url.href.replace(/\/+$/, '')
}
