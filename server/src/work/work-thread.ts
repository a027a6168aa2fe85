// docs/decisions/0245
import { parentPort, workerData } from 'node:worker_threads'
import { loadGlyphs } from '@kitseal/binder'
import { systemClock } from '../clock.ts'
import { randomIdentifiers } from '../identifiers.ts'
import { jsonLog } from '../log.ts'
import { openStore } from '../open-store.ts'
import { collectBuffers } from './collect-buffers.ts'
import { runWork } from './run-work.ts'
import { stepBack } from './step-back.ts'
import type { FromThread, ThreadOrder, ToThread } from './thread-messages.ts'

const LOOK_AT_HEALTH_MS = 500

// The thread in which evidence is examined and kits are sealed, with connections of its own.
if (parentPort === null) throw new Error('this file is started as a thread')
const service = parentPort
const order = workerData as ThreadOrder
const say = (message: FromThread): void => service.postMessage(message)

// Fonts take long to load: the first kit need not wait for it.
loadGlyphs({ regular: [], strong: [], mono: [] }).catch(() => {})
stepBack()
const opened = await openStore(order.config, { connections: order.config.workers + 2 })
const store = { ...opened, objects: collectBuffers(opened.objects) }
// From here on it is listened for, and the first job may be the one that it is stuck in.
say({ say: 'health', healthy: true })
const worker = runWork(store, {
  ...order,
  clock: systemClock,
  identifiers: randomIdentifiers(),
  concurrency: order.config.workers,
  overdue: (jobId) => say({ say: 'overdue', jobId }),
  log: jsonLog(
    order.config.logLevel,
    { write: (text) => say({ say: 'line', json: text.trimEnd() }) },
    systemClock,
  ),
  ended: (result) => say({ say: 'ended', result }),
})

const health = setInterval(() => say({ say: 'health', healthy: worker.healthy() }), LOOK_AT_HEALTH_MS)

service.on('message', (message: ToThread) => {
  if (message.say === 'wake') worker.wake()
  else void stop()
})

async function stop(): Promise<void> {
  clearInterval(health)
  await worker.stop()
  await store[Symbol.asyncDispose]()
  service.close()
}
