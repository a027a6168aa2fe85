import type { WorkspaceCaller } from '../http/caller.ts'
import { PartialLost } from '../objects/resumable-objects.ts'
import { Refusal } from '../refusals.ts'
import { claimUpload } from './claim-upload.ts'
import { finishUpload } from './finish-upload.ts'
import type { UploadContext } from './submission-context.ts'
import { type Checksum, verifyChecksum } from './tus-headers.ts'
import { dropUpload } from './remove-upload.ts'
import { expired, partialOf, type UploadRow } from './upload-queries.ts'

export interface Chunk {
  readonly upload: UploadRow
  readonly caller: WorkspaceCaller
  readonly content: AsyncIterable<Uint8Array>
  readonly checksum?: Checksum | undefined
}

/** Stores the next bytes of an upload, and returns the new offset. With the last byte the file becomes evidence. */
export async function appendToUpload(ctx: UploadContext, chunk: Chunk): Promise<number> {
  const { upload, checksum } = chunk
  await using claim = await claimUpload(ctx, upload)
  const before = partialOf(upload)
  const content = exactly(chunk.content, before.sizeBytes - before.offset)
  try {
    const { offset, state } = await ctx.objects.resumable.append(
      before,
      checksum === undefined ? content : verifyChecksum(content, checksum),
      { commit: (progress) => claim.saveProgress(progress), atomic: checksum !== undefined },
    )
    if (offset === before.sizeBytes)
      await finishUpload(ctx, { ...chunk, upload: { ...upload, offset_bytes: offset, state } })
    return offset
  } catch (error) {
    if (!(error instanceof PartialLost)) throw error
    await dropUpload(ctx, upload)
    throw expired(error)
  }
}

/** Whether all bytes arrived, but a crash or an outage prevented the upload from being finished. */
export const isReceived = ({ offset_bytes, size_bytes, finished_at }: UploadRow): boolean =>
  finished_at === null && Number(offset_bytes) === Number(size_bytes)

/** Passes content through. Holds back the last bytes until it is known that none follow. */
async function* exactly(content: AsyncIterable<Uint8Array>, leftBytes: number): AsyncGenerator<Uint8Array> {
  let left = leftBytes
  let last: Uint8Array | undefined
  for await (const chunk of content) {
    left -= chunk.length
    if (left < 0) throw tooLong()
    if (left > 0) yield chunk
    // A copy: chunks are valid until the next one is requested.
    else if (chunk.length > 0) last = Buffer.copyBytesFrom(chunk)
  }
  if (last !== undefined) yield last
}

export const tooLong = (): Refusal =>
  new Refusal('upload_invalid', 'The body is longer than the rest of the upload. Check Upload-Length.')
