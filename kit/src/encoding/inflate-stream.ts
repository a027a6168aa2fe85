import { brokenData, ZipProblem } from './zip-fields.ts'

/**
 * Inflates raw deflate data piece by piece. Stops as soon as more comes out than was declared, so that a small archive
 * cannot keep a verifier busy with a large lie; data that is cut short or followed by anything is broken.
 */
export async function inflateStream(
  deflated: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  let overflow = false
  const feeding = (async () => {
    for await (const bytes of deflated) {
      if (overflow) return
      await writer.ready
      // The pieces are only lent; the stream keeps them.
      await writer.write(bytes.slice())
    }
    await writer.close()
  })()
  // Whoever waits for more has to hear that no more will come.
  feeding.catch((error: unknown) => writer.abort(error).catch(() => undefined))
  let inflated = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      inflated += value.length
      if (inflated > sizeBytes) {
        overflow = true
        throw brokenData()
      }
      take(value)
    }
    await feeding
  } catch (error) {
    overflow = true
    reader.cancel().catch(() => undefined)
    writer.abort().catch(() => undefined)
    await feeding.catch(() => undefined)
    throw error instanceof ZipProblem ? error : brokenData()
  }
  if (inflated !== sizeBytes) throw brokenData()
}
