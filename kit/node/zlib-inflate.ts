import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { brokenData } from '../src/encoding/zip-fields.ts'
import { ZipProblem } from '../src/encoding/zip-problem.ts'

const CHUNK_BYTES = 256 * 1024

/** Inflates as a stream. Throws as soon as there is more output than declared, and for truncated or trailing data. */
export async function* zlibInflate(
  deflated: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  let compressedBytes = 0
  async function* copies(): AsyncGenerator<Uint8Array> {
    for await (const bytes of deflated) {
      compressedBytes += bytes.length
      // A copy, because the source may reuse its buffer.
      yield bytes.slice()
    }
  }
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES })
  const source = Readable.from(copies(), { objectMode: false, highWaterMark: CHUNK_BYTES })
  const feeding = pipeline(source, inflater)
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
  if (inflated !== sizeBytes || inflater.bytesWritten !== compressedBytes) throw brokenData()
}

/** Only zlib errors mean damaged data; errors of the source are passed on. */
function asZipProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') ? brokenData() : error
}
