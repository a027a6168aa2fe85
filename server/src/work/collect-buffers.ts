import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MOST_BYTES = 16 * 1024 * 1024
const LOOK_EVERY_MS = 20

/**
 * Evidence passes through a work thread in buffers that are soon done with. The collector counts what lies outside its
 * heap only roughly and lets a hundred megabytes of them pile up: here it is called when so many were added to those that
 * were found in use the last time. A thread that answers nobody can afford the pause.
 */
export function collectBuffers(): Disposable {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let inUse = 0
  const timer = setInterval(() => {
    const held = process.memoryUsage().arrayBuffers
    inUse = Math.min(inUse, held)
    if (held - inUse < MOST_BYTES) return
    collect()
    inUse = process.memoryUsage().arrayBuffers
  }, LOOK_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
