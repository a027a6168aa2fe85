// Loaded into each test process by scripts/test.ts. A suite that leaves something running would hold up all others
// without a word: it is ended here, and says what it left.
import { after } from 'node:test'

const TO_END_MS = Number(new URL(import.meta.url).searchParams.get('to-end-ms') ?? 15_000)
const LONGEST_SUITE_MS = 8 * 60_000

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  endAfter(LONGEST_SUITE_MS, 'takes longer than eight minutes')
  after(() => endAfter(TO_END_MS, 'is over, and what it started still runs'))
}

/** Has no effect where the process can end by itself before. */
function endAfter(ms, complaint) {
  setTimeout(() => {
    const left = new Set(process.getActiveResourcesInfo())
    process.stderr.write(`${process.argv[1]} ${complaint}: ${[...left].join(', ')}\n`)
    process.exit(1)
  }, ms).unref()
}
