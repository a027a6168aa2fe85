// `node server/test/run-chaos.ts [SUBMISSIONS]` runs a long chaos test and prints its progress.
import { survive } from './chaos.ts'

const started = performance.now()
const submissions = Number(process.argv[2] ?? 500)
await survive(
  {
    submissions,
    clients: 8,
    nodes: 3,
    faults: [
      'kill',
      'stop',
      'move the clock',
      'restart the database',
      'stop',
      'kill',
      'restart the database',
    ],
    betweenMs: 1500,
    paceMs: 500,
  },
  (line) => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`),
)
console.log(`All ${submissions} ended exactly once, every kit verifies, the ledger adds up.`)
