import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ObjectStore } from './object-store.ts'

const CHECK_EVERY_BYTES = 4 * 1024 * 1024
const MINOR_GC_BYTES = 8 * 1024 * 1024
const MAJOR_GC_BYTES = 24 * 1024 * 1024

/**
 * Runs garbage collection as content passes to and from the store. V8 underestimates buffers outside its heap and would
 * let hundreds of megabytes pile up in a work thread. A minor collection usually suffices and takes a hundredth of the
 * time of a major one.
 */
export function collectBuffers(objects: ObjectStore): ObjectStore {
  const countBytes = bufferCollector()

  async function* counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      countBytes(chunk.length)
      yield chunk
    }
  }

  return {
    ...objects,
    read: (sha256, start, end) => counted(objects.read(sha256, start, end)),
    put: (content) => objects.put(content instanceof Uint8Array ? content : counted(content)),
    stage: (content) => objects.stage(content instanceof Uint8Array ? content : counted(content)),
  }
}

function bufferCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void
  let unchecked = 0
  let inUse = 0
  return (bytes) => {
    unchecked += bytes
    if (unchecked < CHECK_EVERY_BYTES) return
    unchecked = 0
    const added = (): number => process.memoryUsage().external - inUse
    inUse += Math.min(0, added())
    if (added() < MINOR_GC_BYTES) return
    collect({ type: 'minor' })
    if (added() < MAJOR_GC_BYTES) return
    collect()
    inUse += added()
  }
}
