import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import { Refusal } from '../refusals.ts'

/** An unlinked temp file: it is deleted when it is closed, even by a crash. */
export interface Upload extends AsyncDisposable {
  readonly file: number
  readonly sizeBytes: number
}

/** `opened` is called with the empty file. */
export async function receiveUpload(
  body: AsyncIterable<Uint8Array>,
  folder: string,
  limitBytes: number,
  opened?: (file: number) => void,
): Promise<Upload> {
  const handle = await openUnlinked(folder)
  try {
    opened?.(handle.fd)
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
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes)
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
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
