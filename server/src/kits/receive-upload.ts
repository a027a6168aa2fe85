import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/internal/node'
import { Refusal } from '../refusals.ts'

/** An unlinked temp file: it is deleted when it is closed, even by a crash. */
export interface Upload extends AsyncDisposable {
  readonly file: number
  readonly sizeBytes: number
}

/** Two buffers: one is filled while the other is written. */
const BUFFER_BYTES = 1024 * 1024

export async function receiveUpload(
  body: AsyncIterable<Uint8Array>,
  folder: string,
  limitBytes: number,
): Promise<Upload> {
  const handle = await openUnlinked(folder)
  try {
    const sizeBytes = await writeAll(handle, body, limitBytes)
    return { file: handle.fd, sizeBytes, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw asRefusal(error)
  }
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  await makeFolder(folder)
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function writeAll(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<number> {
  let [filling, spare] = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)]
  let filled = 0
  let sizeBytes = 0
  let writing: Promise<void> = Promise.resolve()

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
  }

  async function flush(): Promise<void> {
    await writing
    writing = write(filling.subarray(0, filled))
    // Awaited before the next write; until then, an error is not unhandled.
    writing.catch(() => {})
    ;[filling, spare, filled] = [spare, filling, 0]
  }

  try {
    for await (const chunk of body) {
      if (sizeBytes + chunk.length > limitBytes) throw tooLarge(limitBytes)
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + BUFFER_BYTES - filled)
        filling.set(part, filled)
        filled += part.length
        sizeBytes += part.length
        at += part.length
        if (filled === BUFFER_BYTES) await flush()
      }
    }
    await flush()
  } finally {
    await writing
  }
  return sizeBytes
}

export const tooLarge = (limitBytes: number): Refusal =>
  new Refusal(
    'body_too_large',
    `The kit is larger than ${limitBytes} bytes. Verify it with the command line.`,
  )

function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Refusal(
      'store_unavailable',
      'The service has no disk space for the kit. Try again later, or verify it with the command line.',
      {
        cause: error,
        headers: { 'retry-after': '60' },
      },
    )
  }
  return error
}
