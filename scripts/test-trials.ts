// `npm run test:trials`: the slow tests, every *.trial.ts file, and the tests of the service again on PostgreSQL.
// `npm test -- WORD…` runs single ones.
import { runSteps } from './run-steps.ts'
import { trialsStep } from './test-steps.ts'

process.exitCode = await runSteps([trialsStep()])
