import { Worker } from 'node:worker_threads'

/** Says which case never ends, and ends the process: a loop without end can't be caught from inside. */
const WATCH = `
const { parentPort, workerData } = require('node:worker_threads')
let last = 'the first case', at = Date.now()
parentPort.on('message', (text) => { last = text; at = Date.now() })
setInterval(() => {
  if (Date.now() - at < workerData) return
  require('node:fs').writeSync(2, 'HANG ' + last + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 500)
`

export interface CaseWatch extends AsyncDisposable {
  begun(what: string): void
}

export function watchCases(longestMs: number): CaseWatch {
  const worker = new Worker(WATCH, { eval: true, workerData: longestMs })
  return {
    begun: (what) => worker.postMessage(what),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}
