// `npm test`: format, lint, types, architecture, docs, then every *.test.ts file.
// `npm test -- WORD…`: only the files, tests and trials alike, whose path contains one of the words.
import { runMatching, runSteps } from './run-steps.ts'
import { checkSteps, testsStep } from './test-steps.ts'

const words = process.argv.slice(2)
process.exitCode =
  words.length === 0 ? await runSteps([...checkSteps(), testsStep()]) : await runMatching(words)
