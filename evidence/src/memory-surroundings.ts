import { brokenData, type Host, ZipProblem } from '@kitseal/kit'
import { copyOf, type InflateSizes, memorySource, type Surroundings } from './surroundings.ts'

/** The rules where there is nothing but memory and web standards, as in a page. What is set aside is held. */
export function inMemory(host: Pick<Host, 'sha256' | 'crc32' | 'inflate'>): Surroundings {
  return {
    host,
    inflate: inflateByStream,
    async setAside(content) {
      const parts: Uint8Array[] = []
      for await (const bytes of content) parts.push(copyOf(bytes))
      const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
      let at = 0
      for (const part of parts) {
        whole.set(part, at)
        at += part.length
      }
      return { object: 'aside', source: memorySource(whole), discard: async () => undefined }
    },
  }
}

async function* inflateByStream(
  deflated: AsyncIterable<Uint8Array>,
  { sizeBytes }: InflateSizes,
): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const feeding = (async () => {
    for await (const bytes of deflated) await writer.write(copyOf(bytes))
    await writer.close()
  })()
  feeding.catch(() => undefined)
  const reader = stream.readable.getReader()
  let inflated = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      inflated += value.length
      if (inflated > sizeBytes) throw brokenData()
      yield value
    }
    await feeding
  } catch (error) {
    throw error instanceof ZipProblem ? error : brokenData()
  } finally {
    reader.cancel().catch(() => undefined)
    writer.abort().catch(() => undefined)
  }
  if (inflated !== sizeBytes) throw brokenData()
}
