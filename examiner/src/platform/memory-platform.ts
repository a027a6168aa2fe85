import type { Platform } from './platform.ts'
import { copyOf, memorySource } from './sources.ts'

/** A platform that needs only memory and web standards, as in a browser page. */
export function memoryPlatform(host: Platform['host']): Platform {
  return {
    host,
    async store(content) {
      const parts: Uint8Array<ArrayBuffer>[] = []
      for await (const bytes of content) parts.push(copyOf(bytes))
      const whole = new Uint8Array(await new Blob(parts).arrayBuffer())
      return { object: 'memory', source: memorySource(whole), discard: async () => undefined }
    },
  }
}
