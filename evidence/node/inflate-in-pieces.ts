import { createInflateRaw } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { brokenData, ZipProblem } from '@kitseal/kit'
import type { InflateSizes } from '../src/surroundings.ts'

const PIECE_BYTES = 256 * 1024

/** Stops as soon as more comes out than was declared; data that is cut short or followed by anything is broken. */
export async function* inflateInPieces(
  deflated: AsyncIterable<Uint8Array>,
  { compressedBytes, sizeBytes }: InflateSizes,
): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES })
  const feeding = pipeline(
    Readable.from(deflated, { objectMode: false, highWaterMark: PIECE_BYTES }),
    inflater,
  )
  feeding.catch(() => undefined)
  let inflated = 0
  try {
    for await (const bytes of inflater as AsyncIterable<Uint8Array>) {
      inflated += bytes.length
      if (inflated > sizeBytes) throw brokenData()
      yield bytes
    }
    await feeding
  } catch (error) {
    throw error instanceof ZipProblem ? error : broken(error)
  } finally {
    inflater.destroy()
  }
  if (inflated !== sizeBytes) throw brokenData()
  if (inflater.bytesWritten !== compressedBytes) throw brokenData()
}

/** Only what zlib says of the data is about the data: a store that fails is not the archive's fault. */
function broken(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') ? brokenData() : error
}
