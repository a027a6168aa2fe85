import { parentPort, workerData } from 'node:worker_threads'
import { lettersFor } from '../binder/fonts/typefaces.ts'
import { systemClock } from '../clock.ts'
import { randomIdentifiers } from '../identifiers.ts'
import { jsonLog } from '../log.ts'
import { openStore } from '../open-store.ts'
import { collectBuffers } from './collect-buffers.ts'
import { runWork } from './run-work.ts'
import { stepBack } from './step-back.ts'
import type { FromThread, ThreadOrder, ToThread } from './thread-messages.ts'
import type { Worker } from './worker.ts'

/** How many jobs a thread ends one by one, after a crash, before it takes several at once again. */
const CAREFUL_JOBS = 3
const LOOK_AT_HEALTH_MS = 500

// The thread in which evidence is examined and kits are sealed, with connections of its own.
if (parentPort === null) throw new Error('this file is started as a thread')
const service = parentPort
const order = workerData as ThreadOrder
const say = (message: FromThread): void => service.postMessage(message)

// Fonts take long to load: the first kit need not wait for it.
lettersFor({ regular: [], strong: [], mono: [] }).catch(() => {})
stepBack()
const opened = await openStore(order.config, { connections: order.config.workers + 2 })
const store = { ...opened, objects: collectBuffers(opened.objects) }
const workers: Worker[] = []
// From here on it is listened for, and the first job may be the one that it is stuck in.
say({ say: 'health', healthy: true })
let careful = order.careful ? CAREFUL_JOBS : 0
workers.push(start(careful > 0 ? 1 : order.config.workers))

const health = setInterval(() => {
  say({ say: 'health', healthy: workers.every((worker) => worker.healthy()) })
}, LOOK_AT_HEALTH_MS)

service.on('message', (message: ToThread) => {
  if (message.say === 'wake') for (const worker of workers) worker.wake()
  else void stop()
})

function start(lanes: number): Worker {
  return runWork(store, {
    ...order,
    clock: systemClock,
    identifiers: randomIdentifiers(),
    lanes,
    overdue: (jobId) => say({ say: 'overdue', jobId }),
    log: jsonLog(
      order.config.logLevel,
      { write: (text) => say({ say: 'line', json: text.trimEnd() }) },
      systemClock,
    ),
    ended: (result) => {
      say({ say: 'ended', result })
      if (careful === 0 || (result !== 'issued' && result !== 'failed')) return
      careful -= 1
      if (careful === 0 && order.config.workers > 1) workers.push(start(order.config.workers - 1))
    },
  })
}

async function stop(): Promise<void> {
  clearInterval(health)
  await Promise.all(workers.map((worker) => worker.stop()))
  await store[Symbol.asyncDispose]()
  service.close()
}
