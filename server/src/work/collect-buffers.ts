import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ObjectStore } from '../objects/object-store.ts'

const LOOK_EVERY_BYTES = 4 * 1024 * 1024
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Evidence passes through a work thread in buffers that are soon done with. The collector counts what lies outside its
 * heap only roughly and lets hundreds of megabytes of them pile up. Here it is called as bytes pass to and from the store,
 * when so many were added to those that were found in use the last time. A thread that answers nobody can afford the
 * pause.
 */
export function collectBuffers(objects: ObjectStore): ObjectStore {
  const passed = bufferCollector()

  async function* watched(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      passed(piece.length)
      yield piece
    }
  }

  return {
    ...objects,
    read: (sha256, start, end) => watched(objects.read(sha256, start, end)),
    put: (content) => objects.put(content instanceof Uint8Array ? content : watched(content)),
    stage: (content) => objects.stage(content instanceof Uint8Array ? content : watched(content)),
  }
}

function bufferCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let unseen = 0
  let inUse = 0
  return (bytes) => {
    unseen += bytes
    if (unseen < LOOK_EVERY_BYTES) return
    unseen = 0
    const held = process.memoryUsage().external
    inUse = Math.min(inUse, held)
    if (held - inUse < MOST_BYTES) return
    collect()
    inUse = process.memoryUsage().external
  }
}
