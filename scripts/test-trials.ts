// `npm run test:trials`: the slow tests, every *.trial.ts file, and the tests of the service again on PostgreSQL.
// `npm test -- WORD…` runs single ones.
import { grouped, onPostgres, projectFiles, runSteps, type Step, testCommand, testStep } from './run-steps.ts'

/** `npm run test:s3` runs further tests on PostgreSQL. */
const ON_POSTGRES = 'server/test/{log,passed-jobs,statements,console-{sessions,submissions,roles}}.test.ts'

process.exitCode = runSteps([testStep('trials', projectFiles('**/*.trial.ts')), postgresStep()])

function postgresStep(): Step {
  const tests = testCommand('postgres', grouped(projectFiles(ON_POSTGRES), 3))
  return {
    name: 'PostgreSQL',
    commands: [onPostgres('KITSEAL_TEST_DATABASE', tests)],
    repeat: 'KITSEAL_TEST_DATABASE=postgres npm test -- <part of the path of the test file>',
  }
}
