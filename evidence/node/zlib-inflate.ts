import { createInflateRaw } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { brokenData, ZipProblem } from '@kitseal/kit'
import type { InflateSizes } from '../src/platform/platform.ts'

const CHUNK_BYTES = 256 * 1024

/** Inflates as a stream. Throws as soon as there is more output than declared, and for truncated or trailing data. */
export async function* zlibInflate(
  deflated: AsyncIterable<Uint8Array>,
  { compressedBytes, sizeBytes }: InflateSizes,
): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES })
  const feeding = pipeline(
    Readable.from(deflated, { objectMode: false, highWaterMark: CHUNK_BYTES }),
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
    throw error instanceof ZipProblem ? error : asZipProblem(error)
  } finally {
    inflater.destroy()
  }
  if (inflated !== sizeBytes) throw brokenData()
  if (inflater.bytesWritten !== compressedBytes) throw brokenData()
}

/** Only zlib errors mean damaged data; errors of the source are passed on. */
function asZipProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') ? brokenData() : error
}
