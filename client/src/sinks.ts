import { type Host, type KitFiles, openZip, webHost } from '@kitseal/kit'

/** Where a download goes. */
export interface ByteSink<Kept> {
  /** Bytes come in order; the next do not come before this has resolved. */
  write(bytes: Uint8Array): void | Promise<void>
  /** Forgets what was written: the download starts over. */
  clear(): void | Promise<void>
  /** Hands over what was written. Called once, at the end. */
  keep(): Kept | Promise<Kept>
  /** Leaves nothing behind. Called in place of `keep` where the download failed. */
  discard(): void | Promise<void>
}

/** Where a kit goes: it is read back and verified before it is kept. */
export interface KitSink<Kept> extends ByteSink<Kept> {
  readonly host: Host
  /** What was written, to be read; closed before it is kept or discarded. */
  open(): Promise<KitFiles & { close?(): void }>
}

const PART_BYTES = 4 * 1024 * 1024

/** Into a Blob, which a browser may keep on disk. Works in Node too. */
export function blobSink(): KitSink<Blob> {
  let parts: Blob[] = []
  let recent: Uint8Array<ArrayBuffer>[] = []
  let recentBytes = 0
  const clear = (): void => {
    parts = []
    recent = []
    recentBytes = 0
  }
  const gather = (): void => {
    parts.push(new Blob(recent))
    recent = []
    recentBytes = 0
  }
  const whole = (): Blob => {
    gather()
    return new Blob(parts)
  }
  return {
    host: webHost,
    write(bytes) {
      recent.push(bytes.slice())
      recentBytes += bytes.length
      if (recentBytes >= PART_BYTES) gather()
    },
    clear,
    discard: clear,
    keep: whole,
    open: () => openBlob(whole()),
  }
}

/** A kit in a Blob or a file of a page. */
function openBlob(blob: Blob): Promise<KitFiles> {
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
  return openZip({ sizeBytes: blob.size, read }, webHost)
}
