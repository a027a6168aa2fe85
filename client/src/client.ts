import type { SubmissionList } from './api-types.generated.ts'
import { caller, type CallOptions, type Query } from './call.ts'
import { downloadKit, type DownloadKitOptions, saver, type VerifiedKit } from './download.ts'
import { eventMethods } from './events.ts'
import { generatedMethods } from './methods.generated.ts'
import {
  type ApiRequest,
  DEFAULT_RETRY,
  type Fetch,
  NO_TIMEOUT_MS,
  type Platform,
  type RetryPolicy,
  send,
  systemPlatform,
  type Transport,
} from './transport.ts'
import { uploadMethods } from './upload-evidence.ts'
import { type SubmissionState, type SummaryState, waitMethods } from './wait-for-result.ts'

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
  const listSubmissions = (query: Query<'listSubmissions'> = {}, options?: CallOptions) =>
    ask('listSubmissions', query, options) as Promise<SummaryPage>
  return {
    ...generatedMethods(ask, saver(transport)),
    ...eventMethods(transport),
    ...uploadMethods(transport),
    ...waitMethods(transport),

    /** Any request, for what has no method here. Throws the same errors; is not retried. */
    request: (
      method: string,
      path: string,
      options: Pick<ApiRequest, 'body' | 'headers' | 'signal'> = {},
    ): Promise<Response> => send(transport, { ...options, method, path }),

    /** With `findings: 'summary'`, equal findings are one, with their number. */
    getSubmission: (submissionId: string, options: CallOptions & Query<'getSubmission'> = {}) => {
      const { findings, ...others } = options
      const query = { submission_id: submissionId, ...(findings && { findings }) }
      return ask('getSubmission', query, others) as Promise<SubmissionState>
    },

    /** One page of submissions, newest first unless `sort` says otherwise. */
    listSubmissions,

    /** Submissions that match, page by page. Stop iterating at any time. */
    iterateSubmissions: async function* (
      query: Omit<Query<'listSubmissions'>, 'cursor'> = {},
      options?: CallOptions,
    ): AsyncGenerator<SummaryState, void, undefined> {
      const filters = { ...query }
      for (let page = await listSubmissions(filters, options); ;) {
        yield* page.data
        if (page.next_cursor === null) return
        page = await listSubmissions({ ...filters, cursor: page.next_cursor }, options)
      }
    },

    /** Downloads a kit and verifies it. Throws NotVerifiedError and saves nothing if it fails. */
    downloadKit: <Saved = Blob>(
      kitId: string,
      options: DownloadKitOptions<Saved>,
    ): Promise<VerifiedKit<Saved>> => downloadKit(transport, kitId, options),

    /** Lets the service verify a kit with its own keys. Use `@kitseal/kit` to verify it yourself. */
    verifyKit: (zip: Blob, options?: CallOptions) => {
      const headers = { 'content-type': 'application/zip', ...options?.headers }
      const untimed = caller({ ...transport, timeoutMs: NO_TIMEOUT_MS })
      return untimed('verifyKit', {}, { ...options, headers, body: zip })
    },
  }
}

type SummaryPage = Omit<SubmissionList, 'data'> & { readonly data: readonly SummaryState[] }

const TIMEOUT_MS = 30_000
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

function createTransport(service: ClientOptions): Transport {
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
    headers: {
      ...headers,
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(TRACEPARENT.test(traceparent) && { traceparent }),
    },
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
