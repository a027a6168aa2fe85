import { parentPort, workerData } from 'node:worker_threads'
import { watchDurable } from './durable.ts'
import { type Ask, type FromWorker, type Functions, toPlain, type ToWorker } from './worker-pool.ts'

const BEAT_MS = 500

/** Runs functions for the thread that started this one, one at a time. */
export function serveWorker(functions: Functions): void {
  if (parentPort === null) throw new Error('a worker must be started as a worker thread')
  const port = parentPort
  const { beats } = workerData as { readonly beats: Int32Array }
  const send = (message: FromWorker): void => port.postMessage(message)
  let answered: ((answer: unknown) => void) | undefined
  const ask: Ask = (question) =>
    new Promise((resolve) => {
      answered = resolve
      send({ is: 'question', question })
    })

  async function run({ name, input, watched }: Extract<ToWorker, { is: 'task' }>): Promise<void> {
    using _ = watched ? watchDurable((what) => send({ is: 'durable', what })) : undefined
    try {
      send({ is: 'result', result: await functions[name]!(input as never, ask) })
    } catch (error) {
      send({ is: 'error', error: toPlain(error) })
    }
  }

  Atomics.add(beats, 0, 1)
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  port.on('message', (message: ToWorker) => {
    if (message.is === 'answer') answered?.(message.answer)
    else void run(message)
  })
}
