import type { IntakeJob, IntakeJobRequest, JWKS, Manifest, Receipt } from './api-types.generated.ts'
import type { VerificationResult } from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import { downloadKit, type DownloadKitOptions, type VerifiedKit } from './download-kit.ts'
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts'
import { sendKit } from './send-kit.ts'
import { blobSink, type KitSink } from './sinks.ts'
import { type Surroundings, systemSurroundings } from './surroundings.ts'
import type { Fetch, Transport } from './transport.ts'
import { waitForJob, type WaitOptions } from './wait-for-result.ts'

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
