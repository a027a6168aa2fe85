import { parentPort, workerData } from 'node:worker_threads'
import { binders } from '../kits/binder-file.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { jsonLog } from '../runtime/logger.ts'
import { publishingPolicy } from '../log/proof-sources.ts'
import { openStore } from '../open-store.ts'
import { runWork } from './run-work.ts'
import { lowerPriority } from './lower-priority.ts'
import type { FromThread, ThreadOptions, ToThread } from './thread-messages.ts'

const HEARTBEAT_MS = 500

// The thread that examines evidence and seals kits. It has its own database connections.
if (parentPort === null) throw new Error('work-thread.ts must be started as a worker thread')
const service = parentPort
const options = workerData as ThreadOptions
/** Each message wakes the other thread, so those of one turn of the event loop are sent together. */
const unsent: FromThread[] = []
const send = (message: FromThread): void => void (unsent.push(message) === 1 && setImmediate(sendAll))
const sendAll = (): void => {
  if (unsent.length > 0) service.postMessage(unsent.splice(0))
}
process.on('exit', sendAll)

// Preload the fonts, so that the first kit does not wait for them.
binders.loadFonts().catch(() => {})
lowerPriority()
const store = await openStore(options.config, {
  connections: options.config.workers + 2,
  isWorkThread: true,
  publishing: publishingPolicy(options.proofSources, options.config.proof),
})
// The first heartbeat starts the timeout: the first job may already get stuck.
send({ type: 'health', healthy: true })
const worker = runWork(store, {
  ...options,
  clock: store.clock,
  identifiers: randomIdentifiers(store.clock),
  concurrency: options.config.workers,
  overdue: (jobId) => send({ type: 'overdue', jobId }),
  log: jsonLog(options.config.logLevel, { write: (text) => send({ type: 'log', text }) }, systemClock),
  ended: (result) => send({ type: 'ended', result }),
})

const heartbeat = setInterval(() => send({ type: 'health', healthy: worker.healthy() }), HEARTBEAT_MS)

service.on('message', (message: ToThread) => {
  if (message.type === 'wake') worker.wake()
  else void stop()
})

async function stop(): Promise<void> {
  clearInterval(heartbeat)
  await worker.stop()
  await store[Symbol.asyncDispose]()
  sendAll()
  service.close()
}
