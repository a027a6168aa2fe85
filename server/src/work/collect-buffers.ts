import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ObjectStore } from '../objects/object-store.ts'

const LOOK_EVERY_BYTES = 4 * 1024 * 1024
const MOST_NEW_BYTES = 8 * 1024 * 1024
const MOST_BYTES = 24 * 1024 * 1024

/**
 * Evidence passes through a work thread in buffers that are soon done with. The collector counts what lies outside its
 * heap only roughly and lets hundreds of megabytes of them pile up. Here it is called as bytes pass to and from the store,
 * when so many were added to those that were found in use the last time. It looks at what is new first, which takes a
 * hundredth of the time that all takes, and nearly always finds them there.
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
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void
  let unseen = 0
  let inUse = 0
  return (bytes) => {
    unseen += bytes
    if (unseen < LOOK_EVERY_BYTES) return
    unseen = 0
    const added = (): number => process.memoryUsage().external - inUse
    inUse += Math.min(0, added())
    if (added() < MOST_NEW_BYTES) return
    collect({ type: 'minor' })
    if (added() < MOST_BYTES) return
    collect()
    inUse += added()
  }
}
