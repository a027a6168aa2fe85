// `npm run test:all`: what `npm run test:ci` runs, and all other trials.
import { runSteps } from './run-steps.ts'
import { allStep, checkSteps } from './test-steps.ts'

process.exitCode = await runSteps([...checkSteps(), allStep()])
