// `npm run test:trials`: the slow tests, every *.trial.ts file, and the tests of the service again on PostgreSQL.
// `npm test -- WORD…` runs single ones.
import { grouped, onPostgres, projectFiles, runSteps, type Step, testCommand, testStep } from './run-steps.ts'

/** `npm run test:s3` runs further tests on PostgreSQL. */
const ON_POSTGRES = 'server/test/{log,passed-jobs,statements,console-{sessions,submissions,roles}}.test.ts'

/** Trials in a browser, which share processes. */
const IN_BROWSER = /^(web|kit)\//
const trials = projectFiles('**/*.trial.ts')
const files = [
  ...trials.filter((file) => !IN_BROWSER.test(file)),
  ...grouped(
    trials.filter((file) => IN_BROWSER.test(file)),
    3,
  ),
]

process.exitCode = runSteps([testStep('trials', files), postgresStep()])

function postgresStep(): Step {
  const tests = testCommand('postgres', grouped(projectFiles(ON_POSTGRES), 3))
  return {
    name: 'PostgreSQL',
    commands: [onPostgres('KITSEAL_TEST_DATABASE', tests)],
    repeat: 'KITSEAL_TEST_DATABASE=postgres npm test -- <part of the path of the test file>',
  }
}
