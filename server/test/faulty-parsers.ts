// Preloaded by a test: in work threads, reading one of these words crashes the parser.
import { Hash } from 'node:crypto'
import { isMainThread } from 'node:worker_threads'

const FAULTS: Readonly<Record<string, () => void>> = {
  'EXPLODE-HEAP': () => {
    // In large chunks, because a slowly growing heap would hit the time limit first.
    const held: unknown[] = []
    for (;;) held.push(Buffer.alloc(512 * 1024, held.length).toString('latin1'))
  },
  'OVERFLOW-STACK': () => {
    const deeper = (depth: number): number => 1 + deeper(depth + 1)
    deeper(0)
  },
  'THROW-LATER': () => {
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
  },
  // Sleeps in the loop, to leave the processor to others.
  'LOOP-FOREVER': () => {
    const cell = new Int32Array(new SharedArrayBuffer(4))
    for (;;) Atomics.wait(cell, 0, 0, 50)
  },
  // Like a crash in native code. Threads have no `process.abort`.
  'ABORT-PROCESS': () => {
    process.kill(process.pid, 'SIGABRT')
  },
}

if (!isMainThread) {
  const prototype = Hash.prototype as unknown as { update: (this: Hash, data: Uint8Array) => Hash }
  const { update } = prototype
  prototype.update = function (data) {
    const text = typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    for (const [word, fault] of Object.entries(FAULTS)) if (text.includes(word)) fault()
    return update.call(this, data)
  }
}
