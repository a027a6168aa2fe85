import { parentPort, workerData } from 'node:worker_threads'
import { watchDurable } from './durable.ts'
import { type Ask, type FromWorker, type Functions, toPlain, type ToWorker } from './worker-pool.ts'

const BEAT_MS = 500

/** Runs functions for the thread that started this one, several at a time. */
export function serveWorker(functions: Functions): void {
  if (parentPort === null) throw new Error('a worker must be started as a worker thread')
  const port = parentPort
  const { beats } = workerData as { readonly beats: Int32Array }
  const send = (message: FromWorker): void => port.postMessage(message)
  const answers = new Map<number, (answer: unknown) => void>()
  let isWatched = false

  async function run({ id, name, input, watched }: Extract<ToWorker, { is: 'task' }>): Promise<void> {
    if (watched && !isWatched) watchDurable((what) => send({ is: 'durable', what }))
    isWatched ||= watched
    const ask: Ask = (question) =>
      new Promise((resolve) => {
        answers.set(id, resolve)
        send({ is: 'question', id, question })
      })
    try {
      send({ is: 'result', id, result: await functions[name]!(input as never, ask) })
    } catch (error) {
      send({ is: 'error', id, error: toPlain(error) })
    } finally {
      answers.delete(id)
    }
  }

  Atomics.add(beats, 0, 1)
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  port.on('message', (message: ToWorker) => {
    if (message.is === 'answer') answers.get(message.id)?.(message.answer)
    else void run(message)
  })
}
