// What `npm test`, `npm run test:ci` and `npm run test:all` run. test/README.md lists it.
import path from 'node:path'
import { queueStep, type Step, testStep } from './run-steps.ts'
import { ON_POSTGRES, onlyIn, projectFiles } from './test-files.ts'
import type { Batch } from './test-groups.ts'

const ARCHITECTURE = 'test/architecture.test.ts'
const DOCS = 'test/docs.test.ts'
const TESTS: Batch = {
  files: projectFiles('**/*.test.ts').filter(
    (file) => file !== ARCHITECTURE && file !== DOCS && onlyIn(file) === undefined,
  ),
}
const ALL_TRIALS = projectFiles('**/*.{slow,all}.test.ts')
const CI_TRIALS = ALL_TRIALS.filter((file) => onlyIn(file) === undefined)

/** Trials in a browser share processes. The others run alone: many of them end processes or fill disks. */
const IN_BROWSER = /^(web|kit)\//
const trials = (files: readonly string[]): Batch => ({
  files,
  maxFiles: 3,
  isAlone: (file) => !IN_BROWSER.test(file),
})

const POSTGRES: Batch = {
  // A test runs the test runner in a project that has few of them.
  files: projectFiles(`{${ON_POSTGRES.join(',')}}`),
  maxFiles: 4,
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

/** Tests and trials in one queue: no processor is idle at the end of the one before the other begins. */
const queueOf = (files: readonly string[]): Step =>
  queueStep('tests and trials', [trials(files), POSTGRES, TESTS], WAITING_TRIALS)

export const ciStep = (): Step => queueOf(CI_TRIALS)

export const allStep = (): Step => queueOf(ALL_TRIALS)

/** The compiler reports a project without files as an error. */
function typescriptProjects(): readonly string[] {
  return projectFiles('{,*/}tsconfig*.json').filter(
    (config) => config !== 'tsconfig.base.json' && projectFiles(`${path.dirname(config)}/**/*.ts`).length > 0,
  )
}
