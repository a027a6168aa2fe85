import { type Host, inflateStream } from '@kitseal/kit'
import { copyOf, memorySource, type Surroundings } from './surroundings.ts'

/** The rules where there is nothing but memory and web standards, as in a page. What is set aside is held. */
export function inMemory(host: Pick<Host, 'sha256' | 'crc32' | 'inflate'>): Surroundings {
  return {
    host,
    inflate: (deflated, { sizeBytes }) => inflateStream(deflated, sizeBytes),
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
