// What `npm test`, `npm run test:trials` and `npm run test:all` run.
import path from 'node:path'
import { projectFiles, queueStep, type Step, testStep } from './run-steps.ts'
import type { Batch } from './test-groups.ts'

const ARCHITECTURE = 'test/architecture.test.ts'
const DOCS = 'test/docs.test.ts'
const TESTS: Batch = {
  files: projectFiles('**/*.test.ts').filter((file) => file !== ARCHITECTURE && file !== DOCS),
}
/** Trials in a browser share processes. The others run alone: many of them end processes or fill disks. */
const IN_BROWSER = /^(web|kit)\//
const TRIALS: Batch = {
  files: projectFiles('**/*.trial.ts'),
  maxFiles: 2,
  isAlone: (file) => !IN_BROWSER.test(file),
}
/** `npm run test:s3` runs further tests on PostgreSQL: those that store objects. */
const ON_POSTGRES: Batch = {
  files: projectFiles(
    'server/{test/statements,src/{access/console-{sessions,roles},http/operation,log/log,submissions/{console-submissions,submissions-credits},work/passed-jobs}}.test.ts',
  ),
  maxFiles: 2,
  onPostgres: true,
}
/** Trials wait longer than tests, so there are two more than processors. */
const WAITING_TRIALS = 2

export const checkSteps = (): readonly Step[] => [
  {
    name: 'format',
    commands: [['oxfmt', '--check', '.']],
    repeat: 'npx oxfmt --check . (to fix: npx oxfmt .)',
  },
  { name: 'lint', commands: [['oxlint', '--deny-warnings']], repeat: 'npx oxlint --deny-warnings' },
  {
    name: 'types',
    // With several checkers, each checks the shared types again. Collecting garbage takes a quarter of the time.
    commands: typescriptProjects().map((config) => [
      'env',
      'GOGC=off',
      'GOMEMLIMIT=2GiB',
      'tsc',
      '-p',
      config,
      '--checkers',
      '1',
    ]),
    atOnce: true,
    repeat: 'npx tsc -p <tsconfig file>',
  },
  testStep('architecture', [ARCHITECTURE]),
  testStep('docs', [DOCS]),
]

export const testsStep = (): Step => queueStep('tests', [TESTS])

export const trialsStep = (): Step => queueStep('trials', [TRIALS, ON_POSTGRES], WAITING_TRIALS)

/** Tests and trials in one queue: no processor is idle at the end of the one before the other begins. */
export const allStep = (): Step => queueStep('tests and trials', [TRIALS, ON_POSTGRES, TESTS], WAITING_TRIALS)

/** The compiler reports a project without files as an error. */
function typescriptProjects(): readonly string[] {
  return projectFiles('{,*/}tsconfig*.json').filter(
    (config) => config !== 'tsconfig.base.json' && projectFiles(`${path.dirname(config)}/**/*.ts`).length > 0,
  )
}
