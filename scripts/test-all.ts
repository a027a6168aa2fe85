// `npm run test:all`: what `npm test` and `npm run test:trials` run, in one queue.
import { runSteps } from './run-steps.ts'
import { allStep, checkSteps } from './test-steps.ts'

process.exitCode = await runSteps([...checkSteps(), allStep()])
