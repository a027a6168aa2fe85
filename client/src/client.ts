import type { IntakeJob, Submission, SubmissionList, Upload } from './api-types.generated.ts'
import { workspaceCalls } from './workspace-calls.ts'
import { type Body, caller, type CallOptions, endpoint, type Query } from './call.ts'
import { download, type DownloadOptions } from './download.ts'
import { downloadKit, type DownloadKitOptions, type VerifiedKit } from './download-kit.ts'
import { eventCalls } from './event-calls.ts'
import type { Evidence } from './multipart.ts'
import { programMethods } from './program-methods.ts'
import { requestMethods } from './request-methods.ts'
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts'
import { iterateSubmissions } from './iterate-submissions.ts'
import { seriesMethods } from './series-methods.ts'
import { shareMethods } from './share-methods.ts'
import { profileMethods } from './profile-methods.ts'
import { webhookCalls } from './webhook-calls.ts'
import type { FinalJob, FinalSubmission, SubmissionState, SummaryState } from './submission-states.ts'
import { blobSink, type ByteSink, type KitSink } from './sinks.ts'
import { type Platform, systemPlatform } from './platform.ts'
import { type ApiRequest, type Fetch, NO_TIMEOUT_MS, send, type Transport } from './transport.ts'
import { uploadEvidence, type UploadOptions } from './upload-evidence.ts'
import { deleteUpload, uploadFile, type UploadFileOptions } from './upload-file.ts'
import { waitForJob, waitForResult, type WaitOptions } from './wait-for-result.ts'

export interface ClientOptions {
  /** The URL of the service, such as `https://kitseal.example`. */
  readonly baseUrl: string
  /** Sent with every request. Public endpoints work without one. */
  readonly apiKey?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent with every request, so that the service logs it under your trace (W3C Trace Context). An invalid one is not sent. */
  readonly traceparent?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Overrides the defaults: 5 attempts, delays of up to 0.5 s that double up to 30 s. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** Timeout of requests, in milliseconds. Default: 30 s. Uploads and downloads have none. */
  readonly timeoutMs?: number | undefined
  /** Replaces clock and randomness, for tests. */
  readonly platform?: Platform | undefined
}

export type Client = ReturnType<typeof createClient>

/**
 * Creates a client for a service. It has no state, so one client can serve a whole program.
 *
 * @example
 * ```ts
 * import { createClient } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const { submission_id } = await client.createSubmission({ label: 'Access review, third quarter' })
 * await client.uploadEvidence(submission_id, [{ name: 'note.txt', content: 'Approved.' }])
 * const submission = await client.waitForResult(submission_id)
 * console.log(submission.status === 'PASS' ? submission.kit_id : submission.blockers)
 * ```
 */
export function createClient(service: ClientOptions) {
  const transport = createTransport(service)
  const ask = caller(transport)
  return {
    /** Any request, for what has no method here. Throws the same errors; is not retried. */
    request: (
      method: string,
      path: string,
      options: Pick<ApiRequest, 'body' | 'headers' | 'signal'> = {},
    ): Promise<Response> => send(transport, { ...options, method, path }),

    /** The service's public keys. Whether to trust them is your decision. */
    getKeys: (options?: CallOptions) => ask('getKeys', {}, options),

    /** Creates a job without files. */
    createIntakeJob: (body: Body<'createIntakeJob'>, options?: CallOptions) =>
      ask('createIntakeJob', {}, { ...options, body, idempotent: true }),

    getIntakeJob: (jobId: string, options?: CallOptions) => ask('getIntakeJob', { job_id: jobId }, options),

    /** Polls until the job is ISSUED, FAIL or EXPIRED. */
    waitForJob: (jobId: string, options: WaitOptions<IntakeJob> = {}): Promise<FinalJob> =>
      waitForJob(transport, jobId, options),

    getManifest: (kitId: string, options?: CallOptions) => ask('getManifest', { kit_id: kitId }, options),

    getReceipt: (kitId: string, options?: CallOptions) => ask('getReceipt', { kit_id: kitId }, options),

    /** When and why the evidence of a kit was deleted, signed by the issuer. */
    getErasure: (kitId: string, options?: CallOptions) => ask('getErasure', { kit_id: kitId }, options),

    /** What is in a kit, and where it is in the log. */
    describeKit: (kitId: string, options?: CallOptions) => ask('describeKit', { kit_id: kitId }, options),

    /** Downloads one file of a kit without verifying it. */
    getKitFile: <Saved = Blob>(
      kitId: string,
      path: string,
      options: DownloadOptions & { readonly into?: ByteSink<Saved> } = {},
    ): Promise<Saved> => save(transport, endpoint('getKitFile', { kit_id: kitId, file_path: path }), options),

    /** Downloads one file of a period of a program, by its name with the folder of its item. */
    getPeriodFile: <Saved = Blob>(
      programId: string,
      period: string,
      name: string,
      options: DownloadOptions & { readonly into?: ByteSink<Saved> } = {},
    ): Promise<Saved> =>
      save(transport, endpoint('getPeriodFile', { program_id: programId, period, file_path: name }), options),

    /** The newest proof that the receipt of a kit is in the log of the service, as a tlog-proof. */
    getLogProof: (kitId: string, options: DownloadOptions = {}): Promise<Blob> =>
      save(transport, endpoint('getLogProof', { kit_id: kitId }), options),

    /** A kit as `cose` (RFC 9942 receipt), `in-toto` (signed statement) or `oscal` (assessment results). */
    exportKit: <Saved = Blob>(
      kitId: string,
      format: 'cose' | 'in-toto' | 'oscal',
      options: DownloadOptions & { readonly into?: ByteSink<Saved> } = {},
    ): Promise<Saved> => save(transport, endpoint('exportKit', { kit_id: kitId, format }), options),

    /** Downloads a kit and verifies it. Throws NotVerifiedError and saves nothing if it fails. */
    downloadKit: <Saved = Blob>(
      kitId: string,
      options: DownloadKitOptions & { readonly into?: KitSink<Saved> },
    ): Promise<VerifiedKit<Saved>> =>
      downloadKit(transport, kitId, options.into ?? (blobSink() as unknown as KitSink<Saved>), options),

    /** Lets the service verify a receipt against the kit it stores. */
    verifyReceipt: (body: Body<'verifyReceipt'>, options?: CallOptions) =>
      ask('verifyReceipt', {}, { ...options, body }),

    /** Lets the service verify a kit with its own keys. Use `@kitseal/kit` to verify it yourself. */
    verifyKit: (zip: Blob, options?: CallOptions) =>
      caller({ ...transport, timeoutMs: NO_TIMEOUT_MS })(
        'verifyKit',
        {},
        {
          ...options,
          headers: { 'content-type': 'application/zip', ...options?.headers },
          body: zip,
        },
      ),

    createSubmission: (body: Body<'createSubmission'>, options?: CallOptions) =>
      ask('createSubmission', {}, { ...options, body, idempotent: true }),

    /** Uploads files and starts checking, unless `final` is false. More than 16 MiB are sent so that an interrupted upload continues. */
    uploadEvidence: (
      submissionId: string,
      files: readonly Evidence[],
      options: UploadOptions = {},
    ): Promise<Submission> => uploadEvidence(transport, submissionId, files, options),

    /** Uploads one large file and leaves the submission open. After an interruption, it continues where it stopped. */
    uploadFile: (submissionId: string, file: Evidence, options: UploadFileOptions = {}): Promise<Upload> =>
      uploadFile(transport, submissionId, file, options),

    /** The uploads of a submission that can be continued. */
    listUploads: (submissionId: string, options?: CallOptions) =>
      ask('listUploads', { submission_id: submissionId }, options),

    /** Deletes an upload that is not finished. */
    deleteUpload: (submissionId: string, uploadId: string, options: CallOptions = {}): Promise<void> =>
      deleteUpload(transport, submissionId, uploadId, options.signal),

    /** With `findings: 'summary'`, equal findings are one, with their number. */
    getSubmission: (submissionId: string, options: CallOptions & Query<'getSubmission'> = {}) => {
      const { findings, ...others } = options
      const query = { submission_id: submissionId, ...(findings && { findings }) }
      return ask('getSubmission', query, others) as Promise<SubmissionState>
    },

    /** Changes tags, metadata and external ID. */
    updateSubmission: (submissionId: string, body: Body<'updateSubmission'>, options?: CallOptions) =>
      ask('updateSubmission', { submission_id: submissionId }, { ...options, body }),

    /** Submissions that match, page by page. Stop iterating at any time. */
    iterateSubmissions: (query: Omit<Query<'listSubmissions'>, 'cursor'> = {}, options?: CallOptions) =>
      iterateSubmissions(ask, { ...query }, { ...options }),

    /** One page of submissions, newest first unless `sort` says otherwise. */
    listSubmissions: (query: Query<'listSubmissions'> = {}, options?: CallOptions) =>
      ask('listSubmissions', query, options) as Promise<
        Omit<SubmissionList, 'data'> & { readonly data: readonly SummaryState[] }
      >,

    /** Polls until the submission is PASS, FAIL or EXPIRED. */
    waitForResult: (
      submissionId: string,
      options: WaitOptions<SubmissionState> = {},
    ): Promise<FinalSubmission> => waitForResult(transport, submissionId, options),

    /** Replaces a kit whose signing key was revoked. Returns the new submission; wait for it with `waitForResult`. */
    reissueKit: (submissionId: string, options?: CallOptions) =>
      ask('reissueKit', { submission_id: submissionId }, { ...options, idempotent: true }),

    /** Places a legal hold, which keeps the evidence from being deleted, or changes its reason. */
    placeHold: (submissionId: string, reason: string, options?: CallOptions) =>
      ask('placeHold', { submission_id: submissionId }, { ...options, body: { reason } }),

    releaseHold: (submissionId: string, options?: CallOptions) =>
      ask('releaseHold', { submission_id: submissionId }, options),

    /** Creates a draft with files of a failed submission, which are not uploaded again. */
    resubmit: (submissionId: string, body: Body<'resubmit'>, options?: CallOptions) =>
      ask('resubmit', { submission_id: submissionId }, { ...options, body, idempotent: true }),

    /** Kits that no longer verify, because their signing key was revoked. */
    getRevocations: (options?: CallOptions) => ask('getRevocations', {}, options),

    /** Deletes the evidence of a submission. Manifest, receipt and a signed erasure record of its kit stay. */
    deleteSubmission: (submissionId: string, options?: CallOptions) =>
      ask('deleteSubmission', { submission_id: submissionId }, options),

    ...seriesMethods(ask),
    ...shareMethods(ask),
    ...profileMethods(ask),

    listDeliverables: (submissionId: string, options?: CallOptions) =>
      ask('listDeliverables', { submission_id: submissionId }, options),

    /** Downloads one deliverable without verifying it. To verify, download the kit. */
    getDeliverable: <Saved = Blob>(
      submissionId: string,
      name: string,
      options: DownloadOptions & { readonly into?: ByteSink<Saved> } = {},
    ): Promise<Saved> =>
      save(transport, endpoint('getDeliverable', { submission_id: submissionId, name }), options),

    ...programMethods(ask),
    ...requestMethods(ask),

    ...workspaceCalls(ask),

    ...eventCalls(transport),

    ...webhookCalls(ask),

    /** The keys of other issuers that kits among the evidence are verified with. */
    getTrust: (options?: CallOptions) => ask('getTrust', {}, options),

    /** Replaces those keys. */
    setTrust: (pins: Body<'setTrust'>['data'], options?: CallOptions) =>
      ask('setTrust', {}, { ...options, body: { data: pins } }),

    /** The whole audit log as JSON Lines, with its head as the last line. */
    exportAudit: <Saved = Blob>(
      options: DownloadOptions & { readonly into?: ByteSink<Saved> } = {},
    ): Promise<Saved> => save(transport, endpoint('exportAudit', {}), options),
  }
}

/** Downloads into a sink, which keeps nothing if it fails. */
async function save<Saved>(
  transport: Transport,
  request: ReturnType<typeof endpoint>,
  options: DownloadOptions & { readonly into?: ByteSink<Saved> },
): Promise<Saved> {
  const sink = options.into ?? (blobSink() as unknown as ByteSink<Saved>)
  try {
    await download(transport, request, sink, options)
    return await sink.commit()
  } catch (error) {
    await sink.discard()
    throw error
  }
}

const TIMEOUT_MS = 30_000
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

export function createTransport(service: ClientOptions): Transport {
  const {
    fetch,
    apiKey,
    headers = {},
    traceparent = '',
    retry,
    timeoutMs = TIMEOUT_MS,
    platform = systemPlatform,
  } = service
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('the API key is empty, or contains spaces or non-ASCII characters')
  return {
    baseUrl: parseBaseUrl(service.baseUrl),
    // Looked up at each call, because a page or a test may replace it.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    isGlobalFetch: fetch === undefined,
    apiKey,
    headers: { ...headers },
    traceparent: TRACEPARENT.test(traceparent) ? traceparent : undefined,
    timeoutMs,
    retry: { ...DEFAULT_RETRY, ...retry },
    platform,
  }
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw new TypeError(`invalid base URL ${JSON.stringify(text)}: expected http(s)://host[:port][/path]`)
  return url.href.replace(/\/+$/, '')
}
