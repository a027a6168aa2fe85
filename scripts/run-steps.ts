// Runs the steps of `npm test`, `npm run test:trials` and `npm run test:all`, and stops at the first that fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { importBundledPackages } from './bundle-packages.ts'
import { importBundledService } from './bundle-service.ts'
import { type Batch, groupTests } from './test-groups.ts'

export interface Step {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
  /** The commands share the processors instead of running one after another. */
  readonly atOnce?: boolean
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
function testCommand(name: string, files: readonly string[], waiting = WAITING): readonly string[] {
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
export async function runMatching(words: readonly string[]): Promise<number> {
  const files = projectFiles('**/*.{test,trial}.ts')
  const wanted = files.filter((file) => words.some((word) => file.includes(word)))
  if (wanted.length > 0) return runSteps([testStep('tests', wanted)])
  console.error(
    `No test file has ${words.join(' or ')} in its path. The test files are:\n${files.join('\n')}`,
  )
  return 2
}

/** Runs a command with a PostgreSQL server, whose URL is in the environment variable. */
const onPostgres = (variable: string, command: readonly string[]): readonly string[] => [
  process.execPath,
  path.join(root, 'server/test/on-postgres.ts'),
  variable,
  ...command,
]

/** A step whose test files share processes and a PostgreSQL server. */
export const queueStep = (name: string, batches: readonly Batch[], waiting = WAITING): Step => ({
  ...testStep(name, []),
  commands: [onPostgres('TEST_POSTGRES_URL', testCommand(name, groupTests(root, batches, reports), waiting))],
})

export const testStep = (name: string, files: readonly string[]): Step => ({
  name,
  commands: [testCommand(name, files)],
  repeat: `npm test -- ${files.length === 1 ? files[0] : '<part of the path of the test file>'}`,
})

/** Returns the exit code. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const times: string[] = []
  for (const { name, commands, atOnce = false, repeat } of steps) {
    console.log(`\n== ${name}`)
    const started = performance.now()
    const passed = atOnce ? await allSucceed(commands) : await eachSucceeds(commands)
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

async function allSucceed(commands: Step['commands']): Promise<boolean> {
  return (await Promise.all(commands.map(succeeds))).every(Boolean)
}

async function eachSucceeds(commands: Step['commands']): Promise<boolean> {
  for (const command of commands) if (!(await succeeds(command))) return false
  return true
}

async function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kitseal-test') },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STEP_TIMEOUT_MS,
  })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  } catch (error) {
    console.error(`${program}: ${(error as Error).message}`)
    return false
  }
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
