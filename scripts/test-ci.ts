// `npm run test:ci`: what `npm test` runs, and in the same queue the tests on PostgreSQL and the trials that guard most.
import { runSteps } from './run-steps.ts'
import { checkSteps, ciStep } from './test-steps.ts'

process.exitCode = await runSteps([...checkSteps(), ciStep()])
