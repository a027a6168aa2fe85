// Runs the steps of `npm test` and `npm run test:trials`, and stops at the first that fails.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { importBundledPackages } from './bundle-packages.ts'
import { importBundledService } from './bundle-service.ts'
import { type Grouping, groupTests } from './test-groups.ts'

export interface Step {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
  /** The command that repeats the step after a failure. */
  readonly repeat: string
}

/** Tests wait for leases, timeouts and disks, so there is always one more than processors. */
const WAITING = 1
const STEP_TIMEOUT_MS = 20 * 60_000
export const root = path.dirname(import.meta.dirname)
const reports = mkdtempSync(path.join(tmpdir(), 'kitseal-test-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const BUNDLES = [importBundledPackages(root), await importBundledService(root)]
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.git'])

/** Files of the project that match a glob pattern, as sorted relative paths. */
export const projectFiles = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (name) => SKIPPED_FOLDERS.has(path.basename(name)) }).toSorted()

/** The command that runs test files. Its report is kept to sum up the counts of all steps. */
export function testCommand(name: string, files: readonly string[], waiting = WAITING): readonly string[] {
  return [
    process.execPath,
    `--import=${path.join(root, 'scripts/leak-watch.mjs')}`,
    ...BUNDLES,
    '--test',
    `--test-concurrency=${availableParallelism() + waiting}`,
    '--test-timeout=300000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    // With a third reporter, Node warns about a leak of listeners.
    `--test-reporter=${path.join(root, 'scripts/test-report.mjs')}`,
    `--test-reporter-destination=${path.join(reports, `${name}.json`)}`,
    ...files,
  ]
}

/** Runs the tests and trials whose path contains one of the words. */
export function runMatching(words: readonly string[]): number {
  const files = projectFiles('**/*.{test,trial}.ts')
  const wanted = files.filter((file) => words.some((word) => file.includes(word)))
  if (wanted.length > 0) return runSteps([testStep('tests', wanted)])
  console.error(
    `No test file has ${words.join(' or ')} in its path. The test files are:\n${files.join('\n')}`,
  )
  return 2
}

/** Runs a command with a PostgreSQL server, whose URL is in the environment variable. */
export const onPostgres = (variable: string, command: readonly string[]): readonly string[] => [
  process.execPath,
  path.join(root, 'server/test/on-postgres.ts'),
  variable,
  ...command,
]

/** A step whose test files share processes. */
export const groupedTestStep = (name: string, files: readonly string[]): Step =>
  testStep(name, grouped(files))

export const grouped = (files: readonly string[], grouping?: Grouping): readonly string[] =>
  groupTests(root, files, reports, grouping)

export const testStep = (name: string, files: readonly string[], waiting = WAITING): Step => ({
  name,
  commands: [testCommand(name, files, waiting)],
  repeat: `npm test -- ${files.length === 1 ? files[0] : '<part of the path of the test file>'}`,
})

/** Returns the exit code. */
export function runSteps(steps: readonly Step[]): number {
  const times: string[] = []
  for (const { name, commands, repeat } of steps) {
    console.log(`\n== ${name}`)
    const started = performance.now()
    const passed = commands.every(succeeds)
    printSlowest(name)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    times.push(`${name} ${seconds} s`)
    if (!passed) {
      printCounts()
      console.error(`\nFAILED: ${name}, after ${seconds} s. To repeat this step: ${repeat}`)
      return 1
    }
  }
  console.log(`\nAll passed: ${times.join(', ')}.`)
  printCounts()
  return 0
}

function succeeds([program = '', ...args]: readonly string[]): boolean {
  const done = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kitseal-test') },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STEP_TIMEOUT_MS,
  })
  if (done.error !== undefined) console.error(`${program}: ${done.error.message}`)
  return done.status === 0
}

interface Report {
  readonly counts?: Readonly<Record<string, number>>
  readonly files: number
  readonly slowest: readonly (readonly [file: string, milliseconds: number])[]
}

/** Undefined if the step runs no tests, or was ended. */
function reportOf(name: string): Report | undefined {
  const file = path.join(reports, `${name}.json`)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text === '' ? undefined : (JSON.parse(text) as Report)
}

function printSlowest(name: string): void {
  const { files = 0, slowest = [] } = reportOf(name) ?? {}
  if (files < 2) return
  console.log(`Slowest of ${files} files:`)
  for (const [file, milliseconds] of slowest)
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${file}`)
}

/** Labels of the test runner's closing lines, and the names of its counts. */
const COUNTS = {
  tests: 'tests',
  suites: 'suites',
  pass: 'passed',
  fail: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  todo: 'todo',
  duration_ms: 'duration_ms',
}

/** Prints the test runner's closing counts, summed over all steps. */
function printCounts(): void {
  const counts = globSync('*.json', { cwd: reports }).map(
    (file) => reportOf(path.basename(file, '.json'))?.counts ?? {},
  )
  for (const [label, name] of Object.entries(COUNTS))
    console.log(`# ${label} ${Math.round(counts.reduce((sum, each) => sum + (each[name] ?? 0), 0))}`)
}
