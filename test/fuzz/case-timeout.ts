import { Worker } from 'node:worker_threads'

/** Reports a case that hangs and kills the process: an endless loop cannot be stopped from inside its thread. */
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

export interface CaseTimeout extends AsyncDisposable {
  started(what: string): void
}

export function startCaseTimeout(longestMs: number): CaseTimeout {
  const worker = new Worker(WATCH, { eval: true, workerData: longestMs })
  return {
    started: (what) => worker.postMessage(what),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}
