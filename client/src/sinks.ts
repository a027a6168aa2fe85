import { type Host, type KitFiles, openZip, webHost } from '@kitseal/kit'

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

const PART_BYTES = 4 * 1024 * 1024

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
  let buffer: Uint8Array<ArrayBuffer>[] = []
  let bufferedBytes = 0
  const reset = (): void => {
    parts = []
    buffer = []
    bufferedBytes = 0
  }
  const flush = (): void => {
    parts.push(new Blob(buffer))
    buffer = []
    bufferedBytes = 0
  }
  const wholeBlob = (): Blob => {
    flush()
    return new Blob(parts)
  }
  return {
    host: webHost,
    write(bytes) {
      buffer.push(bytes.slice())
      bufferedBytes += bytes.length
      if (bufferedBytes >= PART_BYTES) flush()
    },
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
