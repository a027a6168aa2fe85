import type { FileHandle } from 'node:fs/promises'

const LARGE_BYTES = 1024 * 1024
const SMALL_BYTES = 256 * 1024
const MOST_LARGE = 16
const FLUSH_EVERY_BYTES = 8 * 1024 * 1024

/**
 * Writes in large pieces while the next one is being gathered. Pieces are copied into two buffers that are used again
 * and again: whatever held on to them would pile up in memory until the collector finds time. The disk is kept busy on
 * the way, so that little is left for the sync at the end to wait for.
 */
export function gatheredWrites(file: FileHandle) {
  let [filling, other] = [spareBuffer(), spareBuffer()]
  let filled = 0
  let unflushed = 0
  let writing: Promise<void> = Promise.resolve()
  let flushing: Promise<void> | undefined
  let failure: unknown

  async function flush(): Promise<void> {
    await writing
    const full = filling.subarray(0, filled)
    ;[filling, other] = [other, filling]
    filled = 0
    writing = writeAll(file, full)
    // It is awaited before the next one, or at the end; until then a failure is nobody's.
    writing.catch(() => {})
    unflushed += full.length
    if (unflushed >= FLUSH_EVERY_BYTES && flushing === undefined) flushBehind()
  }

  function flushBehind(): void {
    unflushed = 0
    // The system tells of a failed write once: a sync after the one that heard of it finds nothing wrong.
    flushing = file
      .datasync()
      .catch((error: unknown) => void (failure ??= error))
      .then(() => void (flushing = undefined))
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
    end: async (): Promise<void> => {
      if (filled > 0) await flush()
      await writing
      await flushing
      if (failure !== undefined) throw failure
    },
    /** The system may still read from a buffer when the content breaks off. */
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await writing.catch(() => {})
      for (const buffer of [filling, other]) (buffer.length === LARGE_BYTES ? large : small).push(buffer)
    },
  }
}

/**
 * Kept for the next upload. A few at once write in large pieces, which takes less time; where there are many, each takes
 * less memory. A busy hour leaves no more of them than were ever in use at once.
 */
const large: Buffer[] = []
const small: Buffer[] = []
let largeOnes = 0

function spareBuffer(): Buffer {
  const spare = large.pop()
  if (spare !== undefined) return spare
  if (largeOnes >= MOST_LARGE) return small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BYTES)
  largeOnes += 1
  return Buffer.allocUnsafeSlow(LARGE_BYTES)
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.byteLength) written += (await file.write(bytes, written)).bytesWritten
}
