// `npm test`: format, lint, types, architecture, docs, then every *.test.ts file.
// `npm test -- WORD…`: only the files, tests and trials alike, whose path contains one of the words.
import path from 'node:path'
import {
  groupedTestStep,
  onPostgres,
  projectFiles,
  runMatching,
  runSteps,
  type Step,
  testStep,
} from './run-steps.ts'

const ARCHITECTURE = 'test/architecture.test.ts'
const DOCS = 'test/docs.test.ts'
const words = process.argv.slice(2)

process.exitCode = words.length === 0 ? runSteps(allSteps()) : runMatching(words)

function allSteps(): readonly Step[] {
  const tests = groupedTestStep(
    'tests',
    projectFiles('**/*.test.ts').filter((file) => file !== ARCHITECTURE && file !== DOCS),
  )
  return [
    {
      name: 'format',
      commands: [['oxfmt', '--check', '.']],
      repeat: 'npx oxfmt --check . (to fix: npx oxfmt .)',
    },
    { name: 'lint', commands: [['oxlint', '--deny-warnings']], repeat: 'npx oxlint --deny-warnings' },
    {
      name: 'types',
      commands: typescriptProjects().map((config) => ['tsc', '-p', config]),
      repeat: 'npx tsc -p <tsconfig file>',
    },
    testStep('architecture', [ARCHITECTURE]),
    testStep('docs', [DOCS]),
    { ...tests, commands: tests.commands.map((command) => onPostgres('TEST_POSTGRES_URL', command)) },
  ]
}

/** The compiler reports a project without files as an error. */
function typescriptProjects(): readonly string[] {
  return projectFiles('{,*/}tsconfig*.json').filter(
    (config) => config !== 'tsconfig.base.json' && projectFiles(`${path.dirname(config)}/**/*.ts`).length > 0,
  )
}
