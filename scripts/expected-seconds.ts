import { readFileSync } from 'node:fs'

/** Seconds of the slowest test files, alone on two quiet processors. */
export const EXPECTED_SECONDS = JSON.parse(
  readFileSync(new URL('./expected-seconds.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, number>>

/** Of files that are not listed. */
const MOST = { test: 1.5, trial: 8 }

/** How long a test file takes, to start the longest first. A wrong number costs time, nothing else. */
export const expectedSeconds = (file: string): number =>
  EXPECTED_SECONDS[file] ?? (file.endsWith('.trial.ts') ? MOST.trial : MOST.test)
