import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MOST_BYTES = 24 * 1024 * 1024
const LOOK_EVERY_MS = 20

/**
 * Evidence passes through a work thread in buffers that are soon done with. The collector counts what lies outside its
 * heap only roughly and lets a hundred megabytes of them pile up: here it is called when there are too many. A thread
 * that answers nobody can afford the pause.
 */
export function collectBuffers(): Disposable {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const timer = setInterval(() => {
    if (process.memoryUsage().arrayBuffers > MOST_BYTES) collect()
  }, LOOK_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
