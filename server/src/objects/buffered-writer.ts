import type { FileHandle } from 'node:fs/promises'

const LARGE_BYTES = 1024 * 1024
const SMALL_BYTES = 256 * 1024
const MAX_LARGE = 16
const SYNC_EVERY_BYTES = 8 * 1024 * 1024

/**
 * Double-buffered writes: one buffer is written while the other is filled. Chunks are copied into reused buffers, so that
 * they do not pile up until garbage collection. Syncs along the way keep the final sync short.
 */
export function bufferedWriter(file: FileHandle, buffers: WriteBuffers, startAt = 0) {
  let [filling, other] = [buffers.take(), buffers.take()]
  let filled = 0
  let position = startAt
  let unsynced = 0
  let writing: Promise<void> = Promise.resolve()
  let syncing: Promise<void> | undefined
  let syncError: unknown

  async function flush(): Promise<void> {
    await writing
    const full = filling.subarray(0, filled)
    ;[filling, other] = [other, filling]
    filled = 0
    writing = writeAll(file, full, position)
    position += full.length
    // Errors surface when it is awaited, before the next write or at the end.
    writing.catch(() => {})
    unsynced += full.length
    if (unsynced >= SYNC_EVERY_BYTES && syncing === undefined) syncInBackground()
  }

  function syncInBackground(): void {
    unsynced = 0
    // The system reports a failed write to one sync only, so the error is remembered.
    syncing = file
      .datasync()
      .catch((error: unknown) => void (syncError ??= error))
      .then(() => void (syncing = undefined))
  }

  return {
    write: async (chunk: Uint8Array): Promise<void> => {
      for (let at = 0; at < chunk.byteLength;) {
        const part = chunk.subarray(at, at + filling.length - filled)
        filling.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === filling.length) await flush()
      }
    },
    /** Writes what is buffered. More may follow. */
    end: async (): Promise<void> => {
      if (filled > 0) await flush()
      await writing
      await syncing
      if (syncError !== undefined) throw syncError
    },
    /** Waits for the last write, which may still read from a buffer. */
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await writing.catch(() => {})
      for (const buffer of [filling, other]) buffers.giveBack(buffer)
    },
  }
}

export type WriteBuffers = ReturnType<typeof writeBuffers>

/** A pool of buffers. Large ones are faster; beyond a few concurrent uploads, small ones save memory. */
export function writeBuffers() {
  const large: Buffer[] = []
  const small: Buffer[] = []
  let largeCount = 0
  return {
    take(): Buffer {
      const free = large.pop()
      if (free !== undefined) return free
      if (largeCount >= MAX_LARGE) return small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BYTES)
      largeCount += 1
      return Buffer.allocUnsafeSlow(LARGE_BYTES)
    },
    giveBack: (buffer: Buffer): void => void (buffer.length === LARGE_BYTES ? large : small).push(buffer),
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at, position + at)
    at += bytesWritten
  }
}
