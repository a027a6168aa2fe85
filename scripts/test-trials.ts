// `npm run test:trials`: the slow tests, every *.trial.ts file, and the tests of the service again on PostgreSQL.
// `npm test -- WORD…` runs single ones.
import { grouped, onPostgres, projectFiles, runSteps, type Step, testCommand, testStep } from './run-steps.ts'

/** `npm run test:s3` runs further tests on PostgreSQL: those that store objects. */
const ON_POSTGRES =
  'server/test/{log,passed-jobs,statements,operation,submissions-credits,console-{sessions,submissions,roles}}.test.ts'

/** Trials in a browser, which share processes. The others run alone: many of them end processes or fill disks. */
const IN_BROWSER = /^(web|kit)\//
const trials = projectFiles('**/*.trial.ts')
const files = grouped(trials, { maxFiles: 2, isAlone: (file) => !IN_BROWSER.test(file) })

/** Trials wait longer than tests, so there are two more than processors. */
process.exitCode = runSteps([testStep('trials', files, 2), postgresStep()])

function postgresStep(): Step {
  const tests = testCommand('PostgreSQL', grouped(projectFiles(ON_POSTGRES), { maxFiles: 2 }))
  return {
    name: 'PostgreSQL',
    commands: [onPostgres('KITSEAL_TEST_DATABASE', tests)],
    repeat: 'KITSEAL_TEST_DATABASE=postgres npm test -- <part of the path of the test file>',
  }
}
