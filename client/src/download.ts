import type { Operations } from './api-types.generated.ts'
import { endpoint, type Params } from './call.ts'
import { NetworkError, NotVerifiedError } from './errors.ts'
import { readStream } from './multipart.ts'
import { withRetries, type ApiRequest, send, toNetworkError, type Transport } from './transport.ts'
import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type Host,
  isJsonObject,
  type KitFiles,
  openZip,
  parseStrictJson,
  type Trust,
  type VerificationReport,
  verifyKit,
  webHost,
} from '@kitseal/kit/internal'

export interface Progress {
  readonly doneBytes: number
  /** Undefined if the service does not send the length. */
  readonly totalBytes: number | undefined
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface SaveOptions<Saved> extends DownloadOptions {
  /** Where to save it. Default: a Blob. */
  readonly into?: ByteSink<Saved>
}

export type Save = ReturnType<typeof saver>

/** Downloads into a sink, which keeps nothing if it fails. */
export const saver =
  (transport: Transport) =>
  async <Name extends keyof Operations, Saved = Blob>(
    name: Name,
    params: Params<Name>,
    options: SaveOptions<Saved>,
  ): Promise<Saved> => {
    const sink = options.into ?? (blobSink() as ByteSink<Blob | Saved> as ByteSink<Saved>)
    return orDiscard(sink, async () => {
      await download(transport, endpoint(name, params), sink, options)
      return sink.commit()
    })
  }

async function orDiscard<Saved>(sink: ByteSink<unknown>, save: () => Promise<Saved>): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** Streams a response body into a sink. Resumes after a lost connection, or restarts if the content has changed. */
export async function download(
  transport: Transport,
  request: Pick<ApiRequest, 'method' | 'path'>,
  sink: ByteSink<unknown>,
  { signal, onProgress }: DownloadOptions,
): Promise<void> {
  let doneBytes = 0
  let etag: string | null = null
  const url = transport.baseUrl + request.path
  await withRetries(transport, signal, async (resetAttempts) => {
    const range: Record<string, string> =
      doneBytes > 0 && etag !== null ? { range: `bytes=${doneBytes}-`, 'if-range': etag } : {}
    const response = await send(transport, { ...request, headers: { accept: '*/*', ...range }, signal })
    if (doneBytes > 0 && !isContinuation(response, doneBytes)) {
      doneBytes = 0
      await sink.reset()
    }
    etag = strongEtag(response)
    const totalBytes = totalSize(response, doneBytes)
    onProgress?.({ doneBytes, totalBytes })
    // Errors of the sink are not network errors, so they are not retried.
    const asError = (error: unknown): unknown => toNetworkError(error, request.method, url, signal)
    for await (const bytes of response.body === null ? [] : readStream(response.body, asError)) {
      await sink.write(bytes)
      doneBytes += bytes.length
      resetAttempts()
      onProgress?.({ doneBytes, totalBytes })
    }
    if (totalBytes !== undefined && doneBytes !== totalBytes)
      throw new NetworkError(request.method, url, `connection lost after ${doneBytes} bytes`)
  })
}

function isContinuation(response: Response, doneBytes: number): boolean {
  return (
    response.status === 206 &&
    response.headers.get('content-range')?.startsWith(`bytes ${doneBytes}-`) === true
  )
}

function strongEtag(response: Response): string | null {
  const etag = response.headers.get('etag')
  return etag?.startsWith('"') === true ? etag : null
}

function totalSize(response: Response, doneBytes: number): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  if (total !== undefined) return Number(total)
  // Content-Length counts compressed bytes.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length')
  return length === null ? undefined : doneBytes + Number(length)
}

export interface DownloadKitOptions<Saved = Blob> extends DownloadOptions {
  /** The keys you trust. The keys inside the kit are never trusted. */
  readonly trust: Trust
  /** Where to save it. Default: a Blob. */
  readonly into?: KitSink<Saved>
}

/** A kit that was downloaded and verified with your trust. */
export interface VerifiedKit<Saved> {
  readonly kitId: string
  readonly report: PassedReport
  /** What the sink returned: a path, or a Blob. */
  readonly saved: Saved
}

export type PassedReport = VerificationReport & {
  readonly status: 'PASS'
  readonly signer: { readonly kid: string }
}

const isPassed = (report: VerificationReport): report is PassedReport =>
  report.status === 'PASS' && report.signer.kid !== null

/** Downloads a kit and verifies it before it is saved. */
export async function downloadKit<Saved>(
  transport: Transport,
  kitId: string,
  options: DownloadKitOptions<Saved>,
): Promise<VerifiedKit<Saved>> {
  const { signal } = options
  const trust = structuredClone(options.trust)
  const sink = options.into ?? (blobSink() as KitSink<Saved>)
  return orDiscard(sink, async () => {
    await download(transport, endpoint('downloadKit', { kit_id: kitId }), sink, options)
    const report = await verify(kitId, sink, trust)
    signal?.throwIfAborted()
    if (!isPassed(report)) throw new NotVerifiedError(kitId, report)
    return { kitId, report, saved: await sink.commit() }
  })
}

async function verify(kitId: string, sink: KitSink<unknown>, trust: Trust): Promise<VerificationReport> {
  const kit = await sink.open()
  try {
    const report = await verifyKit(kit, trust, sink.host)
    if (report.status === 'FAIL' || (await readKitId(kit)) === kitId) return report
    const errors = [`kit_unreadable: the service returned a different kit than ${kitId}`]
    return { ...report, status: 'FAIL', verdict: 'altered', errors }
  } finally {
    kit.close?.()
  }
}

async function readKitId(kit: KitFiles): Promise<unknown> {
  const receipt = parseStrictJson(await kit.read(ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
  return isJsonObject(receipt) ? receipt['kit_id'] : undefined
}

/** Where a download is written. */
export interface ByteSink<Saved> {
  /** Appends bytes. The next call comes after this one has resolved. */
  write(bytes: Uint8Array): void | Promise<void>
  /** Drops what was written, because the download restarts. */
  reset(): void | Promise<void>
  /** Saves what was written. Called once, after the last write. */
  commit(): Saved | Promise<Saved>
  /** Deletes what was written. Called instead of `commit` after an error. */
  discard(): void | Promise<void>
}

/** Where a kit is written. It is read back and verified before `commit`. */
export interface KitSink<Saved> extends ByteSink<Saved> {
  readonly host: Host
  /** Opens what was written. Closed before `commit` or `discard`. */
  open(): Promise<KitFiles & { close?(): void }>
}

/**
 * Downloads into a Blob, which a browser may keep on disk. The default.
 *
 * @example
 * ```ts
 * import { blobSink, createClient, trustKeys } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example' })
 * const trust = trustKeys(await client.getKeys())
 * const { saved } = await client.downloadKit(process.env.KIT_ID ?? '', { trust, into: blobSink() })
 * console.log(saved.size)
 * ```
 */
export function blobSink(): KitSink<Blob> {
  let parts: Blob[] = []
  const reset = (): void => {
    parts = []
  }
  const wholeBlob = (): Blob => new Blob(parts)
  return {
    host: webHost,
    write: (bytes) => void parts.push(new Blob([bytes.slice()])),
    reset,
    discard: reset,
    commit: wholeBlob,
    open: () => openBlob(wholeBlob()),
  }
}

function openBlob(blob: Blob): Promise<KitFiles> {
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
  return openZip({ sizeBytes: blob.size, read }, webHost)
}
