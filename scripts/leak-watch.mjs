// Loaded into each test process by scripts/run-steps.ts. Ends a test file that hangs or leaves something open, and names
// the open resources.
import { after } from 'node:test'

const EXIT_TIMEOUT_MS = Number(new URL(import.meta.url).searchParams.get('exit-timeout-ms') ?? 60_000)
const FILE_TIMEOUT_MS = 15 * 60_000

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  exitAfter(FILE_TIMEOUT_MS, 'took longer than 15 minutes')
  after(() => exitAfter(EXIT_TIMEOUT_MS, 'has finished, but still has open resources'))
}

/** The timer does not keep the process alive. */
function exitAfter(ms, problem) {
  setTimeout(() => {
    const open = new Set(process.getActiveResourcesInfo())
    process.stderr.write(`${process.argv[1]} ${problem}: ${[...open].join(', ')}\n`)
    process.exit(1)
  }, ms).unref()
}
